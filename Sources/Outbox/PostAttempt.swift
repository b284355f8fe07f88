internal import Accounts
internal import CivilTime
internal import HTTPClient
internal import HomelineOAuth
internal import Posting
internal import Providers
internal import Storage
internal import Timeline

/// The requests of one attempt to post, within a job on the account's queue. Each completion is called once, on the queue.
final class PostAttempt {
  private let account: Account
  let provider: any PostingProvider
  private let token: StoredToken
  private let context: JobContext
  /// Whether the token was renewed because the provider rejected it.
  private var hasRenewed = false

  init(of account: Account, _ provider: any PostingProvider, _ token: StoredToken, _ context: JobContext) {
    self.account = account
    self.provider = provider
    self.token = token
    self.context = context
  }

  /// Reads the server's rules.
  /// - Parameter known: the rules, if they were read recently.
  func readRules(_ known: PostingRules?, completion: @escaping (Result<PostingRules, OperationError>) -> Void) {
    if let known { return completion(.success(known)) }
    readRules(provider.descriptionRequests()[...], completion)
  }

  private func readRules(
    _ requests: ArraySlice<ProviderRequest>, _ completion: @escaping (Result<PostingRules, OperationError>) -> Void
  ) {
    guard let request = requests.first else { return completion(rules(from: nil)) }
    cancelable()
    // A server publishes its description, so no token is needed.
    account.providerClient.send(ClientRequest(request, authorization: nil)) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let response) where response.status == 404 && requests.count > 1:
        self.readRules(requests.dropFirst(), completion)
      case .success(let response): completion(self.rules(from: response))
      }
    }
  }

  private func rules(from response: ProviderResponse?) -> Result<PostingRules, OperationError> {
    Result { () throws(ProviderError) in try provider.postingRules(from: response) }.mapError {
      OperationError($0.problem)
    }
  }

  /// Reads the user's newest posts.
  /// - Parameters:
  ///   - known: the ids of known posts, which the provider need not return again.
  ///   - completion: receives `nil` if the provider has no request for the user's posts.
  func readOwnPosts(
    after known: Set<String>? = nil, completion: @escaping (Result<[SentPost]?, OperationError>) -> Void
  ) {
    guard let request = provider.ownPostsRequest(userID: token.identity.user.id, after: known) else {
      return completion(.success(nil))
    }
    let cost = account.costOfOwnPosts(provider.ownPostsPage)
    let reservation: Reservation?
    do throws(OperationError) {
      reservation = cost == 0 ? nil : try pay(cost, posts: provider.ownPostsPage)
    } catch { return completion(.failure(error)) }
    perform(request) { result in
      if case .failure(let failure) = result, !failure.wasSent { self.account.settle(reservation, microUSD: 0) }
      completion(
        result.flatMap { response in
          do throws(ProviderError) {
            let posts = try self.provider.ownPosts(from: response)
            self.account.settle(reservation, ownPosts: posts.map(\.id))
            return .success(posts)
          } catch {
            if case .refused = error { self.account.settle(reservation, microUSD: 0) }
            return .failure(Self.failure(error, in: response))
          }
        })
    }
  }

  /// Checks that the post to reply to exists, if the server does not check that itself.
  /// - Parameter completion: receives an error of the kind `badContent` if the post does not exist.
  func checkReplyTarget(
    _ id: String?, _ rules: PostingRules, completion: @escaping (Result<Void, OperationError>) -> Void
  ) {
    guard let id, rules.ignoresUnknownReplyTargets, let request = provider.postRequest(for: PostID(id)) else {
      return completion(.success(()))
    }
    perform(request) { result in
      completion(
        result.flatMap { response in
          switch self.provider.presence(from: response) {
          case .gone: .failure(OperationError(.badContent, self.provider.unknownReplyTarget))
          case .present: .success(())
          case .unknown:
            // A proxy's answer says nothing about the post, so the reply waits.
            self.provider.classify(response).map { .failure(OperationError(ProviderError.refused($0).problem)) }
              ?? .success(())
          }
        })
    }
  }

  /// Returns the meaning of a response that does not contain the user's posts.
  private static func failure(_ error: ProviderError, in response: ProviderResponse) -> OperationError {
    switch error {
    case .refused(.refused), .refused(.closed), .refused(.configuration):
      // A second attempt would also be rejected.
      (400..<500).contains(response.status)
        ? OperationError(.badContent, error.description) : OperationError(error.problem)
    case .refused, .unreadable: OperationError(error.problem)
    }
  }

  /// Sends a request that can be repeated safely.
  /// - Parameter file: the file of a multipart form.
  func perform(
    _ request: ProviderRequest, with file: RequestFile? = nil,
    completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    authorise { result in
      let authority: RequestAuthority
      do throws(TokenUnavailableError) { authority = try result.get().0 } catch {
        let failure = OperationError(error)
        return completion(.failure(OperationError(failure.kind, failure.message, wasSent: false)))
      }
      self.send(request, with: file, authority, completion)
    }
  }

  /// Sends a post. The stored state of its intent must be `sending`.
  /// - Parameter file: opens the file that is sent with the post.
  func post(
    _ intent: PostIntent, replyTo: String?, knownBefore: Set<String>?,
    file: @escaping (MultipartFile) throws(OperationError) -> RequestFile,
    completion: @escaping (PostedResponse) -> Void
  ) {
    authorise { result in
      let authority: RequestAuthority
      do throws(TokenUnavailableError) { authority = try result.get().0 } catch {
        let failure = OperationError(error)
        return completion(
          PostedResponse(failure.kind == .notAuthorised ? .withoutLogin(failure.message) : .unsent(failure.message)))
      }
      let draft = intent.draft
      let request = self.provider.postingRequest(
        draft, media: intent.uploads.compactMap(\.stage.id), replyTo: replyTo, key: intent.key)
      var content: RequestFile?
      if case .multipart(_, let part) = request.body {
        do throws(OperationError) { content = try file(part) } catch {
          return completion(PostedResponse(.rejected(error.message, coversEarlier: false)))
        }
      }
      let cost = self.account.cost(of: draft, describing: 0)
      let reservation: Reservation?
      do throws(OperationError) { reservation = try self.pay(cost) } catch {
        guard case .tryAgain(let until?) = error.kind else { return completion(PostedResponse(.unsent(error.message))) }
        return completion(PostedResponse(.postponed(error.message, until: until)))
      }
      let posting = PostingContext(author: self.token.identity.user, replyTo: replyTo, knownBefore: knownBefore)
      self.send(request, with: content, authority) { result in
        switch result {
        case .failure(let failure):
          let isRefused = failure.kind == .notAuthorised
          if !failure.wasSent || isRefused { self.account.settle(reservation, microUSD: 0) }
          if isRefused { return completion(PostedResponse(.withoutLogin(failure.message))) }
          completion(PostedResponse(failure.wasSent ? .unanswered(failure.message) : .unsent(failure.message)))
        case .success(let response):
          let posted = self.provider.posted(from: response, draft, in: posting)
          switch posted.result {
          case .posted: self.account.settle(reservation, microUSD: cost)
          case .unsent, .postponed, .withoutLogin, .rejected: self.account.settle(reservation, microUSD: 0)
          // The provider may have charged for the request.
          case .unanswered: break
          }
          completion(posted)
        }
      }
    }
  }

  /// Sends a request that can safely be repeated, after its cost has been reserved.
  /// - Parameters:
  ///   - cost: the cost in millionths of a US dollar.
  ///   - file: the file of a multipart form.
  func perform(
    _ request: ProviderRequest, costing cost: Int64, with file: RequestFile? = nil,
    completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    let reservation: Reservation?
    do throws(OperationError) { reservation = cost == 0 ? nil : try pay(cost) } catch {
      return completion(.failure(error))
    }
    perform(request, with: file) { result in
      switch result {
      case .failure(let failure): if !failure.wasSent { self.account.settle(reservation, microUSD: 0) }
      case .success(let response):
        // If the server reports an error of its own, the provider may still have charged for the action.
        if response.status < 500 {
          self.account.settle(reservation, microUSD: (200..<300).contains(response.status) ? cost : 0)
        }
      }
      completion(result)
    }
  }

  // MARK: Money

  private func pay(_ microUSD: Int64, posts: Int = 0) throws(OperationError) -> Reservation? {
    let decision: PaymentDecision
    do throws(StorageError) { decision = try account.pay(microUSD, posts: posts) } catch { throw OperationError(error) }
    switch decision {
    case .granted(let reservation): return reservation
    case .refused(let problem): throw OperationError(problem)
    }
  }

  // MARK: Requests

  private func authorise(_ completion: @escaping (AuthorityResult) -> Void) {
    account.authority(of: token, isAwaited: true, completion: completion)
  }

  /// Sends a request. If the provider rejects the token, renews it and sends the request again: the rejected request had no effect.
  private func send(
    _ request: ProviderRequest, with file: RequestFile?, _ authority: RequestAuthority,
    _ completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    cancelable()
    account.providerClient.call(
      with: authority.secrets, { try authority.request(request, with: file, nonceTimestamp: $0) }
    ) { result in
      guard case .success(let response) = result else { return completion(result) }
      guard !self.hasRenewed, let failure = self.provider.classify(response),
        self.account.isWorthRenewing(self.token, after: .refused(failure), in: response)
      else { return self.confirm(response, authority, completion) }
      self.hasRenewed = true
      self.context.onCancel {}
      self.account.renewedAuthority(of: self.token) { renewed in
        guard case .success(let (authority, _)) = renewed else { return completion(result) }
        self.send(request, with: file, authority, completion)
      }
    }
  }

  /// Finds out what a 401 without a reason means: the post waits for a login if the token is refused again.
  private func confirm(
    _ response: ProviderResponse, _ authority: RequestAuthority,
    _ completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    guard response.isEmptyUnauthorized else { return completion(.success(response)) }
    account.confirmRefusal(of: authority) { refusal in
      completion(refusal.map { .failure(OperationError(.notAuthorised, $0.message)) } ?? .success(response))
    }
  }

  private func cancelable() {
    let client = account.providerClient
    context.onCancel { client.cancel() }
  }
}

extension OperationError {
  fileprivate init(_ refusal: TokenUnavailableError) {
    switch refusal {
    case .failure(let failure): self = failure
    case .problem(let problem): self.init(problem)
    }
  }
}
