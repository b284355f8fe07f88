import CallbackListener
import HomelineOAuth

/// Logs in with OAuth 1.0a (RFC 5849) and reads the newest posts.
func logInWithOAuth1(at server: String) async throws {
  let application = ClientCredentials(identifier: "sandbox", secret: OAuth.Secret("open+sesame/&=%"))
  let listener = try RedirectListener(application: "The example")

  // 1. Request temporary credentials (a request token) for this login.
  let request = TemporaryCredentialsRequest(
    endpoint: try RequestURL("\(server)/oauth/request_token"), callback: .url(try RequestURL(listener.redirectURI)))
  let issued = try await send(request.signed(by: application, nonceTimestamp: .random()))
  let temporary = try TemporaryCredentialsResponse(issued, requireCallbackConfirmation: true).credentials

  // 2. Send the user to the provider, and wait for the redirect with this token.
  say("Open \(try temporary.authorizationURL(at: RequestURL("\(server)/oauth/authorize")))")
  let redirect = try await listener.redirect(within: .seconds(300)) { redirect in
    OAuth.Callback(query: redirect.query).token.map { equalInConstantTime($0, temporary.identifier) } ?? false
  }
  guard case .granted(_, let verifier) = OAuth.Callback(query: redirect.query) else {
    await listener.close(showing: CallbackPage("Not logged in", "Access was refused."))
    throw LoginRefused()
  }

  // 3. Exchange the request token for an access token.
  let exchange = OAuth.TokenRequest(
    endpoint: try RequestURL("\(server)/oauth/access_token"), temporary: temporary, verifier: verifier)
  let token = try OAuth.TokenResponse(
    try await send(exchange.signed(by: application, nonceTimestamp: .random())))
  await listener.close(showing: CallbackPage("Logged in", "You can close this window."))
  print("Logged in as", token.screenName ?? "an unnamed user")

  // With the token, three lines send a request.
  let signer = OAuth.Signer(client: application, token: .token(token.credentials))
  let api = AuthorizedClient(.oauth1(signer), send: send)
  let posts = try await api.get("\(server)/1.1/statuses/home_timeline.json?count=5")
  print("The home timeline has status", posts.status ?? 0, "and", posts.body.count, "bytes")
}

/// The user or the server refused access.
struct LoginRefused: Error, CustomStringConvertible {
  let description = "access was refused"
}
