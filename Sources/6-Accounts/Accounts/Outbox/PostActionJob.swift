internal import HTTPClient
internal import Posting
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// Performs an action on a published post, in a job on the account's queue: looks at the post, sends the action if it would change something,
/// and updates the stored timeline.
///
/// A look at the post shows whose it is, and whether there is anything to do. After a lost answer, a second look shows whether the action
/// took effect. Providers that charge for looking are not asked; the archive is used instead.
final class PostActionJob {
  private let action: PostAction
  /// The id of the post, as the user gave it.
  private let id: String
  private let account: Account
  private let provider: any PostingProvider
  private let userID: String
  private let attempt: PostAttempt
  private let finish: (Result<PostActionOutcome, OperationError>) -> Void

  /// Adds the job to the account's queue.
  /// - Parameter completion: called once, on the queue.
  static func enqueue(
    _ action: PostAction, on id: String, of account: Account, _ provider: any PostingProvider, _ token: StoredToken,
    completion: @escaping (Result<PostActionOutcome, OperationError>) -> Void
  ) {
    let userID = token.identity.user.id
    guard provider.actionRequest(action, on: id, by: userID) != nil else {
      let isSupported = provider.actionRequest(action, on: "1", by: userID) != nil
      return completion(
        .failure(
          isSupported
            ? OperationError(.badContent, "\(DisplayText.quoted(id)) is not the id of a post")
            : OperationError(.configuration, "the provider \(provider.name) does not support \(action.kind.rawValue)")))
    }
    account.accountQueue.enqueue(.userRefresh) {
      completion(.failure(OperationError(.tryAgain(at: nil), "the program is shutting down; try again")))
    } _: { context in
      PostActionJob(action, on: id, of: account, provider, token, context) { result in
        context.end()
        // The user expects a deleted post to be gone from all files.
        account.whenRendered { _ in completion(result) }
      }.run()
    }
  }

  private init(
    _ action: PostAction, on id: String, of account: Account, _ provider: any PostingProvider, _ token: StoredToken,
    _ context: JobContext, finish: @escaping (Result<PostActionOutcome, OperationError>) -> Void
  ) {
    (self.action, self.id, self.account, self.provider) = (action, id, account, provider)
    (self.userID, self.finish) = (token.identity.user.id, finish)
    attempt = PostAttempt(of: account, provider, token, context)
  }

  // MARK: Looking

  private func run() {
    guard let request = provider.lookRequest(at: id) else { return actUnseen() }
    attempt.perform(request) { result in
      let response: ProviderResponse
      do throws(OperationError) { response = try result.get() } catch { return self.finish(.failure(error)) }
      switch self.provider.look(from: response, at: self.id) {
      case .seen(let post): self.decide(about: post)
      case .gone: self.finish(self.absence)
      case .unclear: self.finish(.failure(self.failure(ofLook: response)))
      }
    }
  }

  private func decide(about post: SeenPost) {
    if action.kind == .delete, post.identity.authorID != userID { return finish(.failure(objection(toDeleting: post))) }
    if post.isDone(action) == true {
      update(post, entry: nil)
      return finish(.success(.already))
    }
    guard let request = provider.actionRequest(action, on: post, by: userID) else {
      return finish(.failure(OperationError(.configuration, "the provider does not offer this for the post \(id)")))
    }
    send(request, for: post)
  }

  /// Acts on a post without having looked at it.
  private func actUnseen() {
    if action.kind == .delete, account.isOwnPost(PostID(id), of: userID) == false {
      return finish(.failure(OperationError(.badContent, "the post \(id) is not yours; it was not deleted")))
    }
    guard let request = provider.actionRequest(action, on: id, by: userID) else {
      preconditionFailure("the request was checked before the job began")
    }
    send(request, for: nil)
  }

  /// The result if the server does not have the post. The user's own deleted post is then also removed here, because an earlier answer may
  /// have been lost. Another user's post stays: the server may only have stopped showing it.
  private var absence: Result<PostActionOutcome, OperationError> {
    if action.kind == .delete, account.isOwnPost(PostID(id), of: userID) == true {
      account.removeOwnPost(PostID(id))
      return .success(.already)
    }
    return .failure(OperationError(.badContent, "the server has no post \(id), or does not show it to you"))
  }

  // MARK: Acting

  private func send(_ request: ClientRequest, for post: SeenPost?) {
    attempt.perform(request, costing: account.spending.cost(of: action)) { result in
      switch result {
      case .failure(let failure) where failure.wasSent && failure.isPassing: self.lookAgain(at: post, after: failure)
      case .failure(let failure): self.finish(.failure(failure))
      case .success(let response): self.judge(response, post)
      }
    }
  }

  private func judge(_ response: ProviderResponse, _ post: SeenPost?) {
    let isDone =
      response.isSuccess && provider.classify(response) == nil && provider.confirms(action, in: response)
    if isDone {
      update(post, entry: provider.actionEntry(action, from: response))
      return finish(.success(.done))
    }
    if action.kind == .delete, case .gone = provider.look(from: response, at: id) { return finish(absence) }
    let failure = failure(of: response)
    if response.isSuccess || response.status >= 500 {
      lookAgain(at: post, after: failure)
    } else {
      finish(.failure(failure))
    }
  }

  /// Finds out whether an action took effect although its answer was lost. It is not sent a second time.
  private func lookAgain(at post: SeenPost?, after failure: OperationError) {
    guard let post, let request = provider.lookRequest(at: id) else { return finish(.failure(failure)) }
    attempt.perform(request) { result in
      let look = (try? result.get()).map { self.provider.look(from: $0, at: self.id) } ?? .unclear
      let isDone =
        switch look {
        case .seen(let now): now.isDone(self.action) == true
        case .gone: self.action.kind == .delete
        case .unclear: false
        }
      if isDone { self.update(post, entry: nil) }
      self.finish(isDone ? .success(.done) : .failure(failure))
    }
  }

  /// Updates the stored timeline after an action.
  /// - Parameters:
  ///   - post: the post as it was before; `nil` if it was not looked at.
  ///   - entry: the post that the action has left in the user's timeline.
  private func update(_ post: SeenPost?, entry: Page.Entry?) {
    switch (action.kind, action.isUndone) {
    case (.delete, _): for id in Set([id, post?.identity.id ?? id]) { account.removeOwnPost(PostID(id)) }
    case (.repost, false): if let entry { account.storeOwnPost(entry) }
    case (.repost, true):
      let original = post?.target(of: action) ?? id
      // On snac, the original takes the place of the repost. Elsewhere, it need not be in the user's timeline.
      if let entry, account.isOwnPost(entry.post.id, of: userID) == true {
        account.storeOwnPost(entry)
      }
      account.removeReposts(of: PostID(original), by: userID) { provider.repostedID(in: $0) == original }
    default: break
    }
  }

  // MARK: Failures

  private func objection(toDeleting post: SeenPost) -> OperationError {
    let author = post.identity.authorName.map { "@\($0)" } ?? "another user"
    guard post.identity.authorID != nil else {
      return OperationError(
        .badContent, "the server does not say whose post \(id) is; it was not deleted, because it may not be yours")
    }
    guard let original = post.original else {
      return OperationError(.badContent, "the post \(id) is by \(author), not yours; it was not deleted")
    }
    let hint = original.authorID == userID ? "; to delete your post: homeline delete \(original.id)" : ""
    return OperationError(.badContent, "\(id) is a repost by \(author), not yours; it was not deleted\(hint)")
  }

  private func failure(ofLook response: ProviderResponse) -> OperationError {
    if let failure = provider.classify(response) { return OperationError(failure.problem) }
    return OperationError(
      .unavailable, "the server's response lacks the post \(id), so nothing was sent; try again later")
  }

  private func failure(of response: ProviderResponse) -> OperationError {
    if case .gone = provider.look(from: response, at: id) {
      return OperationError(.badContent, "the server has no post \(id), or does not support this action")
    }
    if let statement = provider.statement(in: response) { return OperationError(.badContent, statement) }
    if let failure = provider.classify(response) { return OperationError(failure.problem) }
    return OperationError(
      .unavailable,
      response.isSuccess
        ? "the server did not confirm that the action took effect"
        : "the server responded with status \(response.status)")
  }
}
