internal import Accounts
internal import CivilTime
internal import HomelineOAuth
internal import HTTPClient
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// The requests of one login, made with the keys that it began with, and their answers as events. Belongs to the account's queue.
protocol LoginStrategy {
  typealias Completion = (LoginFlow.Event) -> Void

  /// By what the login goes on, whatever a reload changes.
  var dependencies: AccountDependencies { get }
  var providerClient: ProviderClient { get }
  /// What of it must not be shown.
  var secrets: LoginSecrets { get }

  /// Has everything made ready for the user.
  /// - Parameter callback: where the browser is to come back to; `nil` when it does not.
  func prepare(callback: RequestURL?, completion: @escaping Completion)

  /// Asks whose token it is; `nil` where nobody can be asked.
  var userRequest: ProviderRequest? { get }

  /// Who the user is, where the token answer had it in an ID Token that is one for this login.
  var idToken: IDToken? { get }

  /// Whose token it is, where its own answer said so.
  var namedUser: User? { get }

  /// Exchanges what the user brought back for a token.
  func exchange(_ proof: Secret, completion: @escaping Completion)

  /// What makes a request one of the token's user.
  func authority(of grant: TokenGrant) throws(Failure) -> RequestAuthority

  /// What was pasted, in the words of the login's protocol.
  func paste(_ line: String) -> LoginPaste

  /// Has `question` called, on the account's queue, whenever it is time to ask what the user has decided, where no browser comes
  /// back.
  func watch(_ question: @escaping @Sendable () -> Void) throws(Failure)

  /// Asks that once; `nil` while there is no decision.
  func poll(completion: @escaping (LoginFlow.Event?) -> Void)

  /// Gives up what goes on by itself while the user is away.
  func stop()
}

extension LoginStrategy {
  /// The most requests that it may take to know whose token it is.
  private var longestConfirmation: Int { 3 }

  var userRequest: ProviderRequest? { dependencies.provider.userRequest() }

  var idToken: IDToken? { nil }

  var namedUser: User? { idToken?.user }

  func watch(_ question: @escaping @Sendable () -> Void) throws(Failure) {}

  func poll(completion: @escaping (LoginFlow.Event?) -> Void) { completion(nil) }

  func stop() {}

  /// Asks whose token it is.
  func confirm(_ grant: TokenGrant, completion: @escaping Completion) {
    let authority: RequestAuthority
    do throws(Failure) { authority = try self.authority(of: grant) } catch { return completion(.failed(error)) }
    guard let request = userRequest else {
      return completion(.confirmed(namedUser ?? dependencies.provider.anonymousUser))
    }
    ask(request, authority, requestsLeft: longestConfirmation) { event in
      // Core §5.3.2: what is said of another user is not used.
      if case .confirmed(let user) = event, let named = self.idToken?.user, named.id != user.id {
        return completion(.failed(Self.anotherUser))
      }
      completion(event)
    }
  }

  private static var anotherUser: Failure {
    Failure(
      .configuration,
      "the server's userinfo speaks of another user than its id_token, so neither is believed. If endpoints.userinfo is set in "
        + "the account, check it")
  }

  private func ask(
    _ request: ProviderRequest, _ authority: RequestAuthority, requestsLeft: Int, _ completion: @escaping Completion
  ) {
    providerClient.call(with: authority.secrets, { try authority.request(request, nonceTimestamp: $0) }) { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let response):
        do throws(ProviderError) {
          switch try dependencies.provider.userStep(after: response) {
          case .user(let user): completion(.confirmed(user))
          case .ask(let next) where requestsLeft > 1: ask(next, authority, requestsLeft: requestsLeft - 1, completion)
          case .ask: throw .unreadable("It asks for one request after the other.")
          }
        } catch {
          let failure = Failure(error.problem)
          completion(
            .failed(Failure(failure.kind, "the provider does not say whose token it gave: \(failure.message)")))
        }
      }
    }
  }
}

extension LoginStrategy {
  /// Asks whose token it is: in the provider's own way, else in OpenID Connect's where the token is good for that (Core §5.3).
  func userRequest(_ profile: OAuth2Profile, at endpoints: OAuth2Endpoints?) -> ProviderRequest? {
    if let request = dependencies.provider.userRequest() { return request }
    guard profile.scopes.contains("openid") else { return nil }
    return endpoints?.userInfo.map { .get($0, query: []) }
  }
}

extension IDToken {
  /// The user by the id that does not change; the names are for show.
  var user: User {
    let screenName = preferredUsername ?? email ?? subject
    return User(id: subject, screenName: screenName, name: name ?? screenName)
  }

  /// The ID Token of a token answer; `nil` where there is none, or the provider tells its users in another way.
  /// - Throws: why it proves nothing.
  init?(
    _ tokenResponse: AccessTokenResponse, in response: ProviderResponse, at server: AuthorizationServer,
    _ endpoints: OAuth2Endpoints, clientID: String, nonce: String?
  ) throws(Failure) {
    guard server.profile.readsIDToken, let token = tokenResponse.idToken else { return nil }
    let now = (response.serverTime ?? response.receivedAt).seconds
    do throws(IDTokenError) {
      try self.init(token, issuer: endpoints.issuer, clientID: clientID, nonce: nonce, now: now)
    } catch {
      throw Failure(.notAuthorised, "the server's id_token does not say who the user is, since \(error). Log in again")
    }
  }
}
