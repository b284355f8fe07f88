internal import Accounts
internal import Bytes
internal import Cryptography
internal import Dispatch
internal import HTTPClient
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Scheduling
internal import Settings
internal import Storage

/// A login with an OAuth 2.0 authorisation code (RFC 6749 §4.1), bound to its request by PKCE (RFC 7636).
final class OAuth2Login: LoginStrategy {
  /// The redirect address of a login where the provider shows the code to the user.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  /// The values from the authorisation request that the token exchange needs.
  fileprivate struct Asked {
    let endpoints: OAuth2Endpoints
    let client: OAuth2Client
    let redirect: String
    let verifier: CodeVerifier?
    /// The nonce that the ID Token must repeat (OpenID Connect Core §3.1.2.1); `nil` if no ID Token is requested.
    let nonce: String?
  }

  /// The values of an authorisation request that must be unique to it.
  fileprivate struct Once {
    let state: String
    let verifier: CodeVerifier?
    let nonce: String?

    init(_ server: AuthorizationServer) throws(OperationError) {
      let profile = server.profile
      do throws(CryptographyError) {
        state = try OAuth2State.random()
        verifier = profile.usesPKCE ? try CodeVerifier.random() : nil
        let isIDTokenAsked = profile.readsIDToken && server.scopes.contains("openid")
        nonce = isIDTokenAsked ? try OAuth2State.random() : nil
      } catch { throw OperationError(.bug, "\(error)") }
    }
  }

  let start: LoginStart
  private let server: AuthorizationServer
  private let queue: DispatchQueue
  private var asked: Asked?
  private(set) var idToken: IDToken?

  init(of account: Account, _ server: AuthorizationServer) throws(OperationError) {
    start = try LoginStart(of: account)
    self.server = server
    queue = account.queue
  }

  /// Discovers the server's endpoints, obtains the client's credentials, and creates the authorisation address.
  func prepare(callback: RequestURL?, completion: @escaping Completion) {
    let redirect = callback?.text ?? Self.outOfBand
    server.discover { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let endpoints):
        self.server.client(forRedirect: redirect, at: endpoints) { result in
          do throws(OperationError) {
            try self.check(try result.get(), endpoints, redirect) { client, warning in
              do throws(OperationError) {
                completion(.issued(try self.issue(endpoints, client, redirect, warning)))
              } catch { completion(.failed(error)) }
            }
          } catch { completion(.failed(error)) }
        }
      }
    }
  }

  private func issue(
    _ endpoints: OAuth2Endpoints, _ client: OAuth2Client, _ redirect: String, _ warning: String?
  ) throws(OperationError) -> LoginIssue {
    let once = try Once(server)
    secrets.note(Secret(once.state), once.verifier?.secret)
    asked = Asked(endpoints: endpoints, client: client, redirect: redirect, verifier: once.verifier, nonce: once.nonce)
    return LoginIssue(
      key: once.state, invitation: .address(try address(once, endpoints, client, redirect)),
      issuerRule: IssuerRule(expected: endpoints.issuer, isPromised: endpoints.promisesIssuer), warning: warning)
  }

  private func address(
    _ once: Once, _ endpoints: OAuth2Endpoints, _ client: OAuth2Client, _ redirect: String
  ) throws(OperationError) -> RequestURL {
    guard let authorize = endpoints.authorize else {
      throw OperationError(
        .configuration,
        "the server has no authorisation page for browsers; log in with --device, or set endpoints.authorize in the account"
      )
    }
    if endpoints.requiresPushedRequests { throw Self.pushedOnly(endpoints) }
    let request = AuthorizationRequest(
      endpoint: authorize, clientID: client.identifier, redirect: redirect, scopes: server.scopes,
      scopeSeparator: server.profile.scopeSeparator, state: once.state, challenge: once.verifier?.challenge,
      additional: (once.nonce.map { [Parameter("nonce", $0)] } ?? []) + server.authorizeParameters)
    do throws(RequestURLError) { return try request.url() } catch {
      throw OperationError(.configuration, "could not build the authorisation address: \(error)")
    }
  }

  /// Returns the failure for a server that requires pushed authorisation requests. Without a pushed request, the server would show an error
  /// page in the browser and never redirect it.
  private static func pushedOnly(_ endpoints: OAuth2Endpoints) -> OperationError {
    let way =
      endpoints.deviceAuthorization == nil
      ? "Ask its operator to allow plain requests for this client" : "Log in with --device"
    return OperationError(
      .configuration,
      "the server accepts only pushed authorisation requests (PAR, RFC 9126; require_pushed_authorization_requests in its "
        + "metadata), which homeline does not send. \(way)")
  }

  var userRequest: ClientRequest? { userRequest(server, at: asked?.endpoints) }

  func noteCoarseScopes(of grant: TokenGrant, after response: ProviderResponse) -> String? {
    server.noteCoarseScopes(of: grant.bearer, after: response)
  }

  /// Exchanges the code for a token, once (§4.1.3).
  func exchange(_ proof: Secret, completion: @escaping Completion) {
    guard let asked else { return completion(.failed(OperationError(.bug, "no code was requested"))) }
    let request = AccessTokenRequest(
      endpoint: asked.endpoints.token, client: asked.client,
      grant: .authorizationCode(proof, redirect: asked.redirect, verifier: asked.verifier))
    secrets.note(proof)
    providerClient.send(try ClientRequest(request.request), with: [proof]) { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let response): completion(self.exchanged(response, asked))
      }
    }
  }

  private func exchanged(_ response: ProviderResponse, _ asked: Asked) -> LoginFlow.Event {
    let client = asked.client
    do throws(OAuth2ResponseError) {
      let tokenResponse = try AccessTokenResponse(response.oauth)
      var generator = RandomSource()
      let token = BearerToken(tokenResponse, in: response, clientID: client.identifier, using: &generator)
      secrets.note(.oauth2(token))
      do throws(OperationError) {
        idToken = try IDToken(
          tokenResponse, in: response, at: server, asked.endpoints, clientID: client.identifier, nonce: asked.nonce)
      } catch { return .failed(error) }
      return .exchanged(.oauth2(token), named: idToken?.user)
    } catch {
      if let lost = server.lostRegistration(client, after: error, in: response) {
        return .failed(OperationError(.notAuthorised, lost))
      }
      let failure = dependencies.provider.classifyToken(error, in: response)
      var isAboutCallback = false
      if case .refused(let refusal) = error { isAboutCallback = refusal.isAboutRedirect }
      return .failed(
        OperationError(failure, error, "could not exchange the code for a token", isAboutCallback: isAboutCallback))
    }
  }

  package func authority(of grant: TokenGrant) throws(OperationError) -> RequestAuthority {
    guard case .oauth2(let token) = grant else {
      throw OperationError(.bug, "an OAuth 1.0a token can only be used for signing")
    }
    return .bearer(token.accessToken, server.profile.tokenPlacement)
  }

  func paste(_ line: String) -> LoginPaste { LoginPaste(oauth2: line) }
}

/// Registrations of this program that the server no longer knows, for example because its database was restored, or because it removes
/// unused clients. The browser would then show an error, and never be redirected.
extension OAuth2Login {
  /// The longest wait for the authorisation page.
  private static let checkLimit = Duration.seconds(5)

  /// Asks once, before the browser opens, whether the server still knows a stored registration. If not, this program registers itself
  /// again.
  ///
  /// The request has its own state, challenge and nonce, so that it uses up nothing. After any other response, the browser opens.
  /// - Parameter completion: receives the client, and a notice for the user.
  private func check(
    _ found: LoginClient, _ endpoints: OAuth2Endpoints, _ redirect: String,
    _ completion: @escaping (OAuth2Client, String?) -> Void
  ) throws(OperationError) {
    guard found.origin == .stored else { return completion(found.client, nil) }
    let once = try Once(server)
    let request = ClientRequest.get(try address(once, endpoints, found.client, redirect), query: [])
    let client = QueueConfined(providerClient)
    let alarm = try? Alarm(on: queue) { client.value.cancel() }
    alarm?.set(.now + Self.checkLimit)
    providerClient.send(request) { result in
      alarm?.set(nil)
      guard case .success(let response) = result, response.oauth.refusesAuthorizingClient else {
        return completion(found.client, nil)
      }
      self.server.clientAnew(after: found.client, forRedirect: redirect, at: endpoints) { result in
        let name = self.dependencies.provider.serverName
        switch result {
        case .success(let new):
          completion(new.client, "\(name) no longer knew homeline's registration; homeline registered itself again")
        case .failure(let failure):
          completion(
            found.client,
            "Warning: \(name) does not seem to know homeline's registration any more (status \(response.status)), and "
              + "\(failure.message)")
        }
      }
    }
  }

  /// Lets the next login register this program again: the page, which only the user has seen, may have said that the client is unknown.
  func endedUnanswered() { if let asked { server.forget(asked.client) } }
}
