internal import Accounts
internal import Bytes
internal import HTTPClient
internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// A login with OAuth 1.0a (RFC 5849 §2).
final class OAuth1Login: LoginStrategy {
  let start: LoginStart
  private let endpoints: OAuth1Endpoints
  private let client: ClientCredentials
  private var issued: TemporaryCredentials?
  private(set) var namedUser: User?

  /// - Throws: an error if the client's keys are not available.
  init(of account: Account, _ endpoints: OAuth1Endpoints) throws(OperationError) {
    start = try LoginStart(of: account)
    self.endpoints = endpoints
    client = try start.dependencies.keys.consumer()
  }

  /// Requests a request token (§2.1).
  func prepare(callback: RequestURL?, completion: @escaping Completion) {
    let request = TemporaryCredentialsRequest(
      endpoint: endpoints.requestToken, callback: callback.map { .url($0) } ?? .outOfBand)
    let requiresConfirmation = dependencies.settings.requiresCallbackConfirmation
    ask("request_token") {
      try ClientRequest(request.signed(by: self.client, method: self.method, nonceTimestamp: $0))
    } read: { response throws(OperationError) in
      let tokenResponse: TemporaryCredentialsResponse
      do throws(OAuthResponseError) {
        tokenResponse = try TemporaryCredentialsResponse(response, requireCallbackConfirmation: requiresConfirmation)
      } catch { throw OperationError(error, "request_token") }
      self.issued = tokenResponse.credentials
      self.secrets.note(Secret(tokenResponse.credentials.identifier), tokenResponse.credentials.secret)
      return .issued(try self.issue(tokenResponse))
    } completion: {
      completion($0)
    }
  }

  /// Returns the login's authorisation request, with the address for the user (§2.2).
  private func issue(_ tokenResponse: TemporaryCredentialsResponse) throws(OperationError) -> LoginIssue {
    let address: RequestURL
    do throws(RequestURLError) {
      address = try tokenResponse.credentials.authorizationURL(at: endpoints.authorize)
    } catch {
      throw OperationError(.configuration, "could not build the authorisation address: \(error)")
    }
    return LoginIssue(
      key: tokenResponse.credentials.identifier, invitation: .address(address),
      warning: tokenResponse.confirmation == .callbackUnconfirmed ? Self.unconfirmed : nil)
  }

  /// Exchanges the request token for an access token (§2.3).
  func exchange(_ proof: Secret, completion: @escaping Completion) {
    guard let issued else { return completion(.failed(OperationError(.bug, "there is no request token"))) }
    let request = TokenRequest(endpoint: endpoints.accessToken, temporary: issued, verifier: proof)
    secrets.note(proof)
    ask("access_token", with: [proof]) {
      try ClientRequest(request.signed(by: self.client, method: self.method, nonceTimestamp: $0))
    } read: { response throws(OperationError) in
      do throws(OAuthResponseError) {
        let tokenResponse = try TokenResponse(response)
        self.secrets.note(.oauth1(tokenResponse.credentials))
        self.namedUser = tokenResponse.user
        return .exchanged(.oauth1(tokenResponse.credentials), named: tokenResponse.user)
      } catch { throw OperationError(error, "access_token") }
    } completion: {
      completion($0)
    }
  }

  package func authority(of grant: TokenGrant) throws(OperationError) -> RequestAuthority {
    guard case .oauth1(let credentials) = grant else {
      throw OperationError(.bug, "an OAuth 2.0 token cannot be used for signing")
    }
    return .signer(Signer(client: client, token: .token(credentials), method: method))
  }

  func paste(_ line: String) -> LoginPaste { LoginPaste(oauth1: line) }

  private var method: SignatureMethod { dependencies.settings.signatureMethod }

  private func ask(
    _ endpoint: String, with proof: [Secret] = [], _ sign: @escaping ProviderClient.Sign,
    read: @escaping (OAuthResponse) throws(OperationError) -> LoginFlow.Event,
    completion: @escaping Completion
  ) {
    providerClient.call(with: proof, sign) { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let response):
        do throws(OperationError) { completion(try read(response.oauth)) } catch { completion(.failed(error)) }
      }
    }
  }

  private static let unconfirmed =
    "Warning: the provider does not confirm the callback address (oauth_callback_confirmed is missing), "
    + "so it may be open to session fixation; this account accepts that."
}

extension TokenResponse {
  /// The token's user, if the response contains it.
  fileprivate var user: User? {
    guard let id = userID, let name = screenName else { return nil }
    return User(id: id, screenName: name, name: name)
  }
}
