import Bytes
import HTTP
import HomelineOAuth
import Time

@testable import Sandbox

/// A user's approval of a login, without a socket, and the tokens that a simulated provider then issues.
extension SimulatedProvider {
  /// Performs an authorisation code grant (RFC 6749 §4.1).
  mutating func give(_ client: OAuth2Client, _ flow: OAuth2Flow, at now: Timestamp) throws -> AccessTokenResponse {
    let base = "http://127.0.0.1:4000"
    let verifier = flow.usesPKCE ? try CodeVerifier.random() : nil
    let question = try AuthorizationRequest(
      endpoint: RequestURL(base + flow.authorize), clientID: client.identifier, redirect: OAuth2Flow.redirect,
      scopes: flow.scopes, state: "state", challenge: verifier?.challenge
    ).url()
    let agreed = try FormEncoding.decode(question.query ?? "") + [Parameter("action", "allow")]
    let page = response(to: .form(flow.authorize, agreed), at: now).response
    guard
      case .granted("state", let code, _) = AuthorizationResponse(
        query: try RequestURL(page.headers.first("Location") ?? "").query)
    else { throw NothingGiven() }
    let exchange = AccessTokenRequest(
      endpoint: try RequestURL(base + flow.token), client: client,
      grant: .authorizationCode(code, redirect: OAuth2Flow.redirect, verifier: verifier)
    ).request
    let issued = response(
      to: .form(flow.token, exchange.form, exchange.authorization?.withExposedText { $0 }), at: now
    ).response
    return try AccessTokenResponse(OAuthResponse(status: issued.status.code, body: issued.body))
  }
}

/// The paths where a provider asks its users for approval and issues tokens.
struct OAuth2Flow {
  static let redirect = "http://127.0.0.1:8765/callback"

  let authorize: String
  let token: String
  var scopes: [String] = []
  var usesPKCE = true
}

struct NothingGiven: Error {}

extension TwitterSandbox {
  /// Performs the three requests of OAuth 1.0a.
  mutating func give(at now: Timestamp) throws -> TokenCredentials {
    let base = "http://127.0.0.1:4000"
    let temporary = TemporaryCredentialsRequest(
      endpoint: try RequestURL(base + TwitterRoute.requestToken.path),
      callback: .url(try RequestURL(OAuth2Flow.redirect)))
    let issued = try TemporaryCredentialsResponse(
      try read(temporary.signed(by: Self.consumer, nonceTimestamp: .random(timestamp: now.seconds)), at: now),
      requireCallbackConfirmation: true
    ).credentials
    let agreed = response(
      to: .form(
        TwitterRoute.authorize.path, [Parameter("oauth_token", issued.identifier), Parameter("action", "allow")]),
      at: now
    ).response
    let location = try RequestURL(agreed.headers.first("Location") ?? "")
    guard case .granted(_, let verifier) = Callback(query: location.query) else { throw NothingGiven() }
    let last = TokenRequest(
      endpoint: try RequestURL(base + TwitterRoute.accessToken.path), temporary: issued, verifier: verifier)
    return try TokenResponse(
      try read(last.signed(by: Self.consumer, nonceTimestamp: .random(timestamp: now.seconds)), at: now)
    ).credentials
  }

  private mutating func read(_ request: OutgoingRequest, at now: Timestamp) throws -> OAuthResponse {
    let path = try RequestURL(request.url).path
    let response = response(to: .form(path, [], request.headers.first?.value), at: now).response
    return OAuthResponse(status: response.status.code, body: response.body)
  }
}

extension HTTP.Request {
  /// Returns a form as a client would send it to a simulated provider.
  static func form(_ path: String, _ form: [Parameter], _ authorization: String? = nil) -> HTTP.Request {
    var headers: HeaderFields = [.host: "127.0.0.1:4000"]
    if !form.isEmpty { headers.set(.contentType, "application/x-www-form-urlencoded") }
    if let value = authorization.flatMap({ FieldValue($0) }) { headers.set("Authorization", value) }
    return Request(
      method: .post, target: RequestTarget(path)!, headers: headers, body: Array(FormEncoding.encode(form).utf8))
  }
}
