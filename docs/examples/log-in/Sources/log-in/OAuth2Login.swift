import CallbackListener
import HomelineOAuth

/// Logs in with OAuth 2.0 (RFC 6749) and PKCE (RFC 7636), and requests the user's name.
func logInWithOAuth2(at server: String) async throws {
  let application = OAuth2Client(identifier: "sandbox-native", secret: nil, authentication: .none)
  let listener = try RedirectListener(application: "The example")
  // Each login needs new values.
  let state = try OAuth2State.random()
  let verifier = try CodeVerifier.random()

  // 1. Send the user to the provider, and wait for the redirect with this state.
  let address = try AuthorizationRequest(
    endpoint: RequestURL("\(server)/oauth/authorize"), clientID: application.identifier,
    redirect: listener.redirectURI, scopes: ["read"], state: state, challenge: verifier.challenge
  ).url()
  say("Open \(address)")
  let redirect = try await listener.redirect(within: .seconds(300)) { redirect in
    AuthorizationResponse(query: redirect.query).state.map { equalInConstantTime($0, state) } ?? false
  }
  guard case .granted(_, let code, let issuer) = AuthorizationResponse(query: redirect.query),
    IssuerRule(expected: server, isPromised: false).objection(to: issuer) == nil
  else {
    await listener.close(showing: CallbackPage("Not logged in", "Access was refused."))
    throw LoginRefused()
  }

  // 2. Exchange the code for an access token.
  let exchange = AccessTokenRequest(
    endpoint: try RequestURL("\(server)/oauth/token"), client: application,
    grant: .authorizationCode(code, redirect: listener.redirectURI, verifier: verifier))
  let token = try AccessTokenResponse(try await send(exchange.request.outgoing))
  await listener.close(showing: CallbackPage("Logged in", "You can close this window."))

  // With the token, two lines send a request.
  let api = AuthorizedClient(.oauth2(accessToken: token.accessToken), send: send)
  let user = try await api.get("\(server)/userinfo")
  print("Logged in:", String(decoding: user.body, as: UTF8.self))
}
