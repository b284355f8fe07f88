internal import Platform
internal import Posting
internal import Providers
internal import Storage
internal import Time
package import Timeline

/// Finds out whether posts were published if their responses did not show it.
extension OutboxSender {
  /// Looks for a post, in up to three places: the post that the server named, the user's own posts, and the home timeline.
  func lookUp(_ intent: PostIntent, among intents: [PostIntent], _ context: JobContext) {
    guard case .sending(let attempt) = intent.state, let recognition = intent.recognition(among: intents) else {
      preconditionFailure("only a post that was sent is looked for")
    }
    let finish = { (result: LookUpResult) in
      var intent = intent
      intent.end(result, at: self.account.clock.now)
      self.settle(intent, context)
    }
    let requests: PostAttempt
    do throws(OperationError) {
      let (provider, token) = try author(requiresRight: false)
      guard intent.isBy(token.identity) else {
        var intent = intent
        intent.giveUp(Self.otherAuthor, at: account.clock.now)
        return settle(intent, context)
      }
      requests = PostAttempt(of: account, provider, token, context)
    } catch { return finish(.failed(error.message)) }
    requests.readNamedPost(attempt.named) { post in
      if let post, recognition.isProven(by: post, at: self.account.clock.now) { return finish(.found(post)) }
      requests.readOwnPosts(after: attempt.settlement.knownBefore) { result in
        let found = self.found(by: recognition, in: result)
        switch found {
        case .found, .failed: return finish(found)
        case .absent, .inconclusive: break
        }
        requests.readHome(showing: intent.draft) { posts in
          guard let posts else { return finish(found) }
          let atHome = recognition.find(among: posts, in: .home)
          if case .found = atHome { finish(atHome) } else { finish(found) }
        }
      }
    }
  }

  private func found(
    by recognition: PostRecognition, in result: Result<[SentPost]?, OperationError>
  ) -> LookUpResult {
    switch result {
    case .failure(let failure) where failure.isPassing || failure.kind == .notAuthorised:
      .failed(failure.message, until: failure.retryAt)
    case .failure(let failure): .inconclusive("the user's posts cannot be read: \(failure.message)")
    case .success(nil): .inconclusive("homeline cannot look for it on this provider's servers")
    case .success(let posts?): recognition.find(among: posts, in: .ownPosts)
    }
  }

  /// Stores the outcome of a look-up, and continues with the other posts.
  private func settle(_ intent: PostIntent, _ context: JobContext) {
    hasNewSuccess = intent.isPosted
    log(intent)
    do throws(OperationError) { try write(intent) } catch { return fail(error, context) }
    work(context)
  }

  /// Looks for posts whose outcome is in doubt among the timeline posts that have just arrived.
  package func received(_ page: Page) {
    guard !isClosed, let provider = account.provider as? any PostingProvider,
      let identity = account.store.knownState.identity
    else { return }
    let ahead = account.authority.providerClient.serverNow - account.clock.now
    // Most pages contain none of the user's own posts, and the outbox need not be read.
    let posts = page.entries.filter { $0.post.author.id == identity.user.id }
      .compactMap { provider.sentPost(in: $0, ahead: ahead) }
    guard !posts.isEmpty else { return }
    var hasRecognised = false
    do throws(OperationError) {
      for candidate in try intents() where candidate.isInDoubt && candidate.isBy(identity) {
        var intent = candidate
        guard let recognition = intent.recognition(among: try intents()),
          case .found(let post) = recognition.find(among: posts, in: .home)
        else { continue }
        intent.recognise(post, at: account.clock.now)
        try write(intent)
        log(intent)
        hasRecognised = true
      }
    } catch { account.log(.warning, "a post in the outbox was not compared with the timeline: \(error.message)") }
    // Replies may have been waiting for the outcome.
    if hasRecognised { resume() }
  }
}
