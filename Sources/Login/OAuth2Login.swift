internal import Accounts
internal import HomelineOAuth
internal import HTTPClient
internal import Providers
internal import Scheduling
internal import Settings
internal import Storage

/// A login with an OAuth 2.0 authorisation code (RFC 6749 §4.1), bound to its request by PKCE (RFC 7636).
final class OAuth2Login: LoginStrategy {
  /// The redirect address of a login in which the provider shows the code to the user.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  /// The values from the authorisation request that the token exchange needs.
  private struct Asked {
    let endpoints: OAuth2Endpoints
    let client: OAuth2Client
    let redirect: String
    let verifier: CodeVerifier?
    /// The nonce that the ID Token must repeat (OpenID Connect Core §3.1.2.1); `nil` if no ID Token is requested.
    let nonce: String?
  }

  let start: LoginStart
  private let server: AuthorizationServer
  private var asked: Asked?
  private(set) var idToken: IDToken?

  init(of account: Account, _ server: AuthorizationServer) throws(OperationError) {
    start = try LoginStart(of: account)
    self.server = server
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
            completion(.issued(try self.issue(endpoints, try result.get(), redirect)))
          } catch { completion(.failed(error)) }
        }
      }
    }
  }

  private func issue(
    _ endpoints: OAuth2Endpoints, _ client: OAuth2Client, _ redirect: String
  ) throws(OperationError) -> LoginIssue {
    guard let authorize = endpoints.authorize else {
      throw OperationError(
        .configuration,
        "the server has no authorisation page for browsers; log in with --device, or set endpoints.authorize in the account"
      )
    }
    if endpoints.requiresPushedRequests { throw Self.pushedOnly(endpoints) }
    let state: String
    let verifier: CodeVerifier?
    let nonce: String?
    do throws(CryptographyError) {
      state = try OAuth2State.random()
      verifier = server.profile.usesPKCE ? try CodeVerifier.random() : nil
      let isIDTokenAsked = server.profile.readsIDToken && server.profile.scopes.contains("openid")
      nonce = isIDTokenAsked ? try OAuth2State.random() : nil
    } catch { throw OperationError(.bug, "\(error)") }
    secrets.note(Secret(state), verifier?.secret)
    asked = Asked(endpoints: endpoints, client: client, redirect: redirect, verifier: verifier, nonce: nonce)
    let request = AuthorizationRequest(
      endpoint: authorize, clientID: client.identifier, redirect: redirect, scopes: server.scopes,
      scopeSeparator: server.profile.scopeSeparator, state: state, challenge: verifier?.challenge,
      additional: (nonce.map { [Parameter("nonce", $0)] } ?? []) + server.profile.authorizeParameters)
    do throws(RequestURLError) {
      return LoginIssue(
        key: state, invitation: .address(try request.url()),
        issuerRule: IssuerRule(expected: endpoints.issuer, isPromised: endpoints.promisesIssuer))
    } catch { throw OperationError(.configuration, "could not build the authorisation address: \(error)") }
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

  var userRequest: ProviderRequest? { userRequest(server.profile, at: asked?.endpoints) }

  /// Exchanges the code for a token, once (§4.1.3).
  func exchange(_ proof: Secret, completion: @escaping Completion) {
    guard let asked else { return completion(.failed(OperationError(.bug, "no code was requested"))) }
    let request = AccessTokenRequest(
      endpoint: asked.endpoints.token, client: asked.client,
      grant: .authorizationCode(proof, redirect: asked.redirect, verifier: asked.verifier))
    secrets.note(proof)
    providerClient.send(ClientRequest(request.request), with: [proof]) { result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let response): completion(self.exchanged(response, asked))
      }
    }
  }

  private func exchanged(_ response: ProviderResponse, _ asked: Asked) -> LoginFlow.Event {
    let client = asked.client
    do throws(OAuth2ResponseError) {
      let tokenResponse = try AccessTokenResponse(OAuthResponse(response))
      var generator = RandomSource()
      let token = BearerToken(tokenResponse, in: response, clientID: client.identifier, using: &generator)
      secrets.note(.oauth2(token))
      do throws(OperationError) {
        idToken = try IDToken(
          tokenResponse, in: response, at: server, asked.endpoints, clientID: client.identifier, nonce: asked.nonce)
      } catch { return .failed(error) }
      return .exchanged(.oauth2(token), named: idToken?.user)
    } catch {
      let failure = dependencies.provider.classifyToken(error, in: response)
      // A server may have deleted a registration that was unused for some time. The next login registers the client again.
      if case .clientRejected = failure, case .selfRegistered? = try? dependencies.keys.get() { server.forget(client) }
      var isAboutCallback = false
      if case .refused(let refusal) = error { isAboutCallback = refusal.isAboutRedirect }
      return .failed(
        OperationError(failure, "could not exchange the code for a token", isAboutCallback: isAboutCallback))
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
