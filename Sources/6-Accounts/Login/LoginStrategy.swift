internal import Accounts
internal import Bytes
internal import HTTPClient
internal import HomelineOAuth
internal import Providers
internal import Storage
internal import Time
internal import Timeline

/// Sends the requests of one login, with the keys that were valid when it started, and turns the responses into events. Use only on the
/// account's queue.
protocol LoginStrategy {
  typealias Completion = (LoginFlow.Event) -> Void

  var start: LoginStart { get }

  /// Prepares what the user needs in order to authorise the application.
  /// - Parameter callback: the redirect address; `nil` in a login without a redirect.
  func prepare(callback: RequestURL?, completion: @escaping Completion)

  /// The request for the token's user; `nil` if the provider does not support one.
  var userRequest: ClientRequest? { get }

  /// The ID Token in the token response, if there is one that is valid for this login.
  var idToken: IDToken? { get }

  /// The token's user, if the token response contains it.
  var namedUser: User? { get }

  /// Exchanges the user's verifier or code for a token.
  func exchange(_ proof: Secret, completion: @escaping Completion)

  /// Returns the authority that authenticates requests as the token's user.
  func authority(of grant: TokenGrant) throws(OperationError) -> RequestAuthority

  /// Reads a pasted line as a callback of the login's OAuth version.
  func paste(_ line: String) -> LoginPaste

  /// In a login without a redirect, calls `question` on the account's queue whenever the server should be polled for the user's decision.
  func watch(_ question: @escaping @Sendable () -> Void) throws(OperationError)

  /// Polls the server once. The event is `nil` as long as the user has not decided.
  func poll(completion: @escaping (LoginFlow.Event?) -> Void)

  /// Stops polling.
  func stop()

  /// Returns the message about a server that accepts only coarse scopes, which the next login requests; `nil` if this is not the reason for
  /// the response.
  func noteCoarseScopes(of grant: TokenGrant, after response: ProviderResponse) -> String?

  /// Called if the login ended and the server did not react to the user's visit.
  func endedUnanswered()
}

extension LoginStrategy {
  var dependencies: AccountDependencies { start.dependencies }
  var providerClient: ProviderClient { start.providerClient }
  var secrets: LoginSecrets { start.secrets }

  /// The maximum number of requests that it takes to determine the token's user.
  private var longestConfirmation: Int { 3 }

  var userRequest: ClientRequest? { dependencies.provider.userRequest() }

  var idToken: IDToken? { nil }

  var namedUser: User? { idToken?.user }

  func watch(_ question: @escaping @Sendable () -> Void) throws(OperationError) {}

  func poll(completion: @escaping (LoginFlow.Event?) -> Void) { completion(nil) }

  func stop() {}

  func endedUnanswered() {}

  func noteCoarseScopes(of grant: TokenGrant, after response: ProviderResponse) -> String? { nil }

  /// Determines the token's user.
  func confirm(_ grant: TokenGrant, completion: @escaping Completion) {
    let authority: RequestAuthority
    do throws(OperationError) { authority = try self.authority(of: grant) } catch { return completion(.failed(error)) }
    guard let request = userRequest else {
      return completion(.confirmed(namedUser ?? dependencies.provider.anonymousUser))
    }
    ask(request, authority, grant, requestsLeft: longestConfirmation) { event in
      // Claims about another user must not be used (OpenID Connect Core §5.3.2).
      if case .confirmed(let user) = event, let named = self.idToken?.user, named.id != user.id {
        return completion(.failed(Self.anotherUser))
      }
      completion(event)
    }
  }

  private static var anotherUser: OperationError {
    OperationError(
      .configuration,
      "the server's userinfo and id_token identify different users, so neither is trusted. If endpoints.userinfo is set in "
        + "the account, check it")
  }

  private func ask(
    _ request: ClientRequest, _ authority: RequestAuthority, _ grant: TokenGrant, requestsLeft: Int,
    _ completion: @escaping Completion
  ) {
    providerClient.call(with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }) { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let response):
        do throws(ProviderFailure) {
          switch try dependencies.provider.userStep(after: response) {
          case .user(let user): completion(.confirmed(user))
          case .ask(let next) where requestsLeft > 1:
            ask(next, authority, grant, requestsLeft: requestsLeft - 1, completion)
          case .ask: throw .unreadable("Identifying the user takes too many requests.")
          }
        } catch {
          if let message = noteCoarseScopes(of: grant, after: response) {
            return completion(.failed(OperationError(.notAuthorised, "\(message). Log in again")))
          }
          let failure = OperationError(error.problem)
          completion(
            .failed(OperationError(failure.kind, "the provider did not report the token's user: \(failure.message)")))
        }
      }
    }
  }
}

extension LoginStrategy {
  /// Returns the request for the token's user: the provider's own request or, if the scopes include `openid`, the UserInfo request (OpenID
  /// Connect Core §5.3).
  func userRequest(_ server: AuthorizationServer, at endpoints: OAuth2Endpoints?) -> ClientRequest? {
    if let request = dependencies.provider.userRequest() { return request }
    guard server.scopes.contains("openid") else { return nil }
    return endpoints?.userInfo.map { .get($0, query: []) }
  }
}

extension IDToken {
  /// The user that the ID Token identifies by its subject, which does not change. The names are only for display.
  var user: User {
    let screenName = preferredUsername ?? email ?? subject
    return User(id: subject, screenName: screenName, name: name ?? screenName)
  }

  /// Reads the ID Token in a token response; `nil` if there is none, or if the provider identifies its users in a different way.
  /// - Throws: an error if the ID Token is not valid.
  init?(
    _ tokenResponse: AccessTokenResponse, in response: ProviderResponse, at server: AuthorizationServer,
    _ endpoints: OAuth2Endpoints, clientID: String, nonce: String?
  ) throws(OperationError) {
    guard server.profile.readsIDToken, let token = tokenResponse.idToken else { return nil }
    let now = (response.serverTime ?? response.receivedAt).seconds
    do throws(IDTokenError) {
      try self.init(token, issuer: endpoints.issuer, clientID: clientID, nonce: nonce, now: now)
    } catch {
      throw OperationError(
        .notAuthorised, "the server's id_token does not identify the user, because \(error). Log in again")
    }
  }
}
