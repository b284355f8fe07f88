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
  private let provider: any PostingProvider
  private let token: StoredToken
  private let context: JobContext
  /// Whether the provider refused the token and it was renewed.
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
    // A server describes itself to everyone, so no token is sent.
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
  /// - Parameter completion: receives `nil` if the provider offers no way to request them.
  func readOwnPosts(completion: @escaping (Result<[SentPost]?, OperationError>) -> Void) {
    guard let request = provider.ownPostsRequest(userID: token.identity.user.id) else {
      return completion(.success(nil))
    }
    perform(request) { result in
      completion(
        result.flatMap { response in
          do throws(ProviderError) { return .success(try self.provider.ownPosts(from: response)) } catch {
            // Another attempt would be refused too.
            let isFinal = (400..<500).contains(response.status) && ![408, 425, 429].contains(response.status)
            return .failure(isFinal ? OperationError(.badContent, error.description) : OperationError(error.problem))
          }
        })
    }
  }

  /// Sends a request that can safely be repeated.
  func perform(
    _ request: ProviderRequest, completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    authorise { result in
      let authority: RequestAuthority
      do throws(TokenUnavailableError) { authority = try result.get().0 } catch {
        return completion(.failure(OperationError(error)))
      }
      self.send(request, authority, completion)
    }
  }

  /// Sends a post. Its intent must be stored as being sent.
  func post(
    _ draft: PostDraft, replyTo: String?, key: IdempotencyKey, knownBefore: Set<String>?,
    completion: @escaping (PostedResponse) -> Void
  ) {
    authorise { result in
      let authority: RequestAuthority
      do throws(TokenUnavailableError) { authority = try result.get().0 } catch {
        return completion(PostedResponse(.unsent(OperationError(error).message)))
      }
      let request = self.provider.postingRequest(draft, replyTo: replyTo, key: key)
      self.send(request, authority) { result in
        switch result {
        case .failure(let failure):
          completion(PostedResponse(failure.wasSent ? .unanswered(failure.message) : .unsent(failure.message)))
        case .success(let response): completion(self.provider.posted(from: response, draft, knownBefore: knownBefore))
        }
      }
    }
  }

  // MARK: Requests

  private func authorise(_ completion: @escaping (AuthorityResult) -> Void) {
    account.authority(of: token, isAwaited: true, completion: completion)
  }

  /// Sends a request. If the token is refused, it is renewed and the request sent again: a request without a valid token has no effect.
  private func send(
    _ request: ProviderRequest, _ authority: RequestAuthority,
    _ completion: @escaping (Result<ProviderResponse, OperationError>) -> Void
  ) {
    cancelable()
    account.providerClient.call(
      with: authority.secrets, { try authority.request(request, nonceTimestamp: $0) }
    ) { result in
      guard case .success(let response) = result, response.status == 401, !self.hasRenewed,
        let failure = self.provider.classify(response),
        self.account.isWorthRenewing(self.token, after: .refused(failure), in: response)
      else { return completion(result) }
      self.hasRenewed = true
      self.context.onCancel {}
      self.account.renewedAuthority(of: self.token) { renewed in
        guard case .success(let (authority, _)) = renewed else { return completion(result) }
        self.send(request, authority, completion)
      }
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
