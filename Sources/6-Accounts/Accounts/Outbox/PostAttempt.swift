internal import HTTPClient
internal import Posting
internal import Providers
internal import Storage
internal import Time
internal import Timeline

/// The requests of one attempt to post, within a job on the account's queue. Each completion is called once, on the queue.
final class PostAttempt {
  private let account: Account
  let provider: any PostingProvider
  private let token: StoredToken
  private let context: JobContext
  /// Whether the token was renewed because the provider refused it.
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
    _ requests: ArraySlice<ClientRequest>, _ completion: @escaping (Result<PostingRules, OperationError>) -> Void
  ) {
    guard let request = requests.first else { return completion(rules(from: nil)) }
    cancelable()
    // A server publishes its description, so no token is needed.
    account.authority.providerClient.send(request) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let response) where response.status == 404 && requests.count > 1:
        self.readRules(requests.dropFirst(), completion)
      case .success(let response): completion(self.rules(from: response))
      }
    }
  }

  private func rules(from response: ProviderResponse?) -> Result<PostingRules, OperationError> {
    Result { () throws(ProviderFailure) in try provider.postingRules(from: response) }.mapError {
      OperationError($0.problem)
    }
  }

  /// Reads the user's newest posts.
  /// - Parameters:
  ///   - known: the ids of known posts, which the provider need not return again.
  ///   - completion: receives `nil` if the provider does not support requests for the user's posts.
  func readOwnPosts(
    after known: Set<String>? = nil, completion: @escaping (Result<[SentPost]?, OperationError>) -> Void
  ) {
    guard let request = provider.ownPostsRequest(userID: token.identity.user.id, after: known) else {
      return completion(.success(nil))
    }
    let cost = account.spending.costOfOwnPosts(provider.ownPostsPage)
    let reservation: Reservation?
    do throws(OperationError) {
      reservation = cost == 0 ? nil : try pay(cost, posts: provider.ownPostsPage)
    } catch { return completion(.failure(error)) }
    perform(request) { result in
      if case .failure(let failure) = result, !failure.wasSent {
        self.account.spending.settle(reservation, microUSD: 0)
      }
      completion(
        result.flatMap { response in
          do throws(ProviderFailure) {
            let posts = try self.provider.ownPosts(from: response)
            self.account.spending.settle(reservation, ownPosts: posts.map(\.id))
            return .success(posts)
          } catch {
            if error.isRefusal { self.account.spending.settle(reservation, microUSD: 0) }
            return .failure(Self.failure(error, in: response))
          }
        })
    }
  }

  /// Reads the post that a response to a new post named.
  /// - Parameters:
  ///   - id: the id in the response; `nil` if there was none.
  ///   - completion: receives `nil` if the post could not be read; other requests then decide.
  func readNamedPost(_ id: String?, completion: @escaping (SentPost?) -> Void) {
    guard let request = id.flatMap({ provider.namedPostRequest(id: $0) }) else { return completion(nil) }
    perform(request) { result in completion((try? result.get()).flatMap { self.provider.namedPost(from: $0) }) }
  }

  /// Reads the newest page of the home timeline, if it may show a new post that is missing from the user's own posts.
  /// - Parameter completion: receives `nil` if it was not read.
  func readHome(showing draft: PostDraft, completion: @escaping ([SentPost]?) -> Void) {
    guard let request = provider.homeRequest(showing: draft) else { return completion(nil) }
    perform(request) { result in completion((try? result.get()).flatMap { try? self.provider.ownPosts(from: $0) }) }
  }

  /// Checks that the post to reply to exists, if the server does not check this.
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
          switch self.provider.presence(of: PostID(id), from: response) {
          case .gone: .failure(OperationError(.badContent, self.provider.unknownReplyTarget))
          case .present: .success(())
          case .unknown:
            // A proxy's answer says nothing about the post, so the reply waits.
            self.provider.classify(response).map { .failure(OperationError($0.problem)) }
              ?? .success(())
          }
        })
    }
  }

  /// Returns the meaning of a response that does not contain the user's posts.
  private static func failure(_ error: ProviderFailure, in response: ProviderResponse) -> OperationError {
    switch error {
    case .refused, .closed, .configuration:
      // A second attempt would also be refused.
      (400..<500).contains(response.status)
        ? OperationError(.badContent, error.description) : OperationError(error.problem)
    default: OperationError(error.problem)
    }
  }

  /// Sends a request that can be repeated safely.
  func perform(
    _ request: ClientRequest,
    completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    authorise { result in
      let authority: RequestAuthority
      do throws(TokenUnavailableError) { authority = try result.get().0 } catch {
        let failure = OperationError(error)
        return completion(.failure(OperationError(failure.kind, failure.message, wasSent: false)))
      }
      self.send(request, authority, completion)
    }
  }

  /// Sends a post. The stored state of its intent must be `sending`.
  /// - Parameters:
  ///   - claimed: the ids of the posts that belong to other intents.
  ///   - file: opens the file that is sent with the post.
  func post(
    _ intent: PostIntent, claimed: Set<String>,
    file: @escaping (FileForm) throws(OperationError) -> FileForm.OpenFile,
    completion: @escaping (PostedResponse) -> Void
  ) {
    guard case .sending(let current) = intent.state else { preconditionFailure("a post is stored before it is sent") }
    authorise { result in
      let authority: RequestAuthority
      do throws(TokenUnavailableError) { authority = try result.get().0 } catch {
        let failure = OperationError(error)
        return completion(
          PostedResponse(failure.kind == .notAuthorised ? .withoutLogin(failure.message) : .unsent(failure.message)))
      }
      let draft = intent.draft
      var request = self.provider.postingRequest(
        draft, media: intent.uploads.compactMap(\.stage.id), replyTo: current.replyTo, key: intent.key)
      if case .form(var form) = request.body {
        do throws(OperationError) { form.file = try file(form) } catch {
          return completion(PostedResponse(.refused(error.message, coversEarlier: false)))
        }
        request.body = .form(form)
      }
      let cost = self.account.spending.cost(of: draft, describing: 0)
      let reservation: Reservation?
      do throws(OperationError) { reservation = try self.pay(cost) } catch {
        guard case .tryAgain(let until?) = error.kind else { return completion(PostedResponse(.unsent(error.message))) }
        return completion(PostedResponse(.postponed(error.message, until: until)))
      }
      let posting = PostingContext(
        author: self.token.identity.user, replyTo: current.replyTo, knownBefore: current.settlement.knownBefore,
        claimed: claimed, sentAt: current.firstAt)
      self.send(request, authority, mayHaveEffect: true) { result in
        switch result {
        case .failure(let failure):
          let isRefused = failure.kind == .notAuthorised
          if !failure.wasSent || isRefused { self.account.spending.settle(reservation, microUSD: 0) }
          if isRefused { return completion(PostedResponse(.withoutLogin(failure.message))) }
          completion(PostedResponse(failure.wasSent ? .unanswered(failure.message) : .unsent(failure.message)))
        case .success(let response):
          let posted = self.provider.posted(from: response, draft, in: posting)
          switch posted.result {
          case .posted: self.account.spending.settle(reservation, microUSD: cost)
          case .unsent, .postponed, .withoutLogin, .refused: self.account.spending.settle(reservation, microUSD: 0)
          // The provider may have charged for the request.
          case .unanswered, .copyRefused: break
          }
          completion(posted)
        }
      }
    }
  }

  /// Sends a request that can safely be repeated, after its cost has been reserved.
  /// - Parameter cost: the cost in millionths of a US dollar.
  func perform(
    _ request: ClientRequest, costing cost: Int64,
    completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    let reservation: Reservation?
    do throws(OperationError) { reservation = cost == 0 ? nil : try pay(cost) } catch {
      return completion(.failure(error))
    }
    perform(request) { result in
      switch result {
      case .failure(let failure): if !failure.wasSent { self.account.spending.settle(reservation, microUSD: 0) }
      case .success(let response):
        // If the server reports its own error, the provider may still have charged for the action.
        if response.status < 500 {
          self.account.spending.settle(reservation, microUSD: (200..<300).contains(response.status) ? cost : 0)
        }
      }
      completion(result)
    }
  }

  // MARK: Money

  private func pay(_ microUSD: Int64, posts: Int = 0) throws(OperationError) -> Reservation? {
    let decision: PaymentDecision
    do throws(StorageError) { decision = try account.spending.pay(microUSD, posts: posts) } catch {
      throw OperationError(error)
    }
    switch decision {
    case .granted(let reservation): return reservation
    case .refused(let problem): throw OperationError(problem)
    }
  }

  // MARK: Requests

  private func authorise(_ completion: @escaping (AuthorityResult) -> Void) {
    account.authority.provide(for: token, isAwaited: true, completion: completion)
  }

  /// Sends a request. If the provider refuses the token, renews it and sends the request again: the refused request had no effect.
  /// - Parameter mayHaveEffect: whether carrying out the request twice would do harm.
  private func send(
    _ request: ClientRequest, _ authority: RequestAuthority, mayHaveEffect: Bool = false,
    _ completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    cancelable()
    account.authority.providerClient.call(
      with: authority.secrets, mayHaveEffect: mayHaveEffect,
      { try authority.authorised(request, nonceTimestamp: $0) }
    ) { result in
      guard case .success(let response) = result else { return completion(result) }
      guard !self.hasRenewed, let failure = self.provider.classify(response),
        self.account.authority.isWorthRenewing(self.token, after: failure, in: response)
      else { return self.confirm(response, authority, completion) }
      self.hasRenewed = true
      self.context.onCancel {}
      self.account.authority.provideRenewed(for: self.token) { renewed in
        guard case .success(let (authority, _)) = renewed else { return completion(result) }
        self.send(request, authority, mayHaveEffect: mayHaveEffect, completion)
      }
    }
  }

  /// Determines the meaning of a 401 without a reason: the post waits for a login if the token is refused again.
  private func confirm(
    _ response: ProviderResponse, _ authority: RequestAuthority,
    _ completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    guard response.isEmptyUnauthorized else { return completion(.success(response)) }
    account.authority.confirmRefusal(of: authority) { refusal in
      completion(refusal.map { .failure(OperationError(.notAuthorised, $0.message)) } ?? .success(response))
    }
  }

  private func cancelable() {
    let client = account.authority.providerClient
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
