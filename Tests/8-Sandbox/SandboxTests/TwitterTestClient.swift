import Bytes
import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

/// A client that calls the simulated Twitter without a socket.
struct TwitterTestClient {
  static let key = SandboxKey(bytes: [UInt8](0..<32))!
  /// The time in these tests, 2026-11-20T16:00:00Z.
  static let start = Timestamp(seconds: 1_795_190_400)
  static let callback = "http://127.0.0.1:8765/callback"

  var provider: Faulty<TwitterSandbox>
  var now = Self.start
  var origin = "http://127.0.0.1:4000"
  var method = SignatureMethod.hmacSHA1

  init(_ policy: SandboxPolicy = SandboxPolicy(), key: SandboxKey = Self.key, revoked: Set<String> = []) {
    provider = Faulty(TwitterSandbox(key: key, policy: policy, revokedTokens: revoked))
  }

  func url(_ route: TwitterRoute, _ query: String = "") throws -> RequestURL {
    try RequestURL(origin + route.path + query)
  }

  func nonceTimestamp() throws -> NonceTimestamp { try NonceTimestamp.random(timestamp: now.seconds) }

  mutating func send(_ request: HTTP.Request) -> Response { provider.response(to: request, at: now).response }

  mutating func send(_ signed: OutgoingRequest) throws -> Response {
    var headers: HeaderFields = [:]
    if let type = signed.contentType { headers.set(.contentType, FieldValue(type)!) }
    return send(
      Self.request(
        signed.method, try RequestURL(signed.url), signed.authorization?.withExposedText { $0 }, headers: headers,
        body: signed.body))
  }

  static func request(
    _ method: String, _ url: RequestURL, _ authorization: String?, headers: HeaderFields = [:], body: [UInt8] = []
  ) -> HTTP.Request {
    var headers = headers
    headers.set(.host, FieldValue(url.authority)!)
    if let authorization { headers.set("Authorization", FieldValue(authorization)!) }
    let target = url.path + (url.query.map { "?\($0)" } ?? "")
    return Request(
      method: RequestMethod(method)!, target: RequestTarget(target)!, headers: headers, body: body)
  }

  // MARK: Authorisation

  mutating func requestTokenResponse(_ callback: String = Self.callback) throws -> Response {
    let address: CallbackAddress = callback == "oob" ? .outOfBand : .url(try RequestURL(callback))
    return try send(
      TemporaryCredentialsRequest(endpoint: url(.requestToken), callback: address)
        .signed(by: TwitterSandbox.consumer, method: method, nonceTimestamp: nonceTimestamp()))
  }

  mutating func requestToken(_ callback: String = Self.callback) throws -> TemporaryCredentials {
    let response = try requestTokenResponse(callback)
    return try TemporaryCredentialsResponse(
      OAuthResponse(status: response.status.code, body: response.body), requireCallbackConfirmation: true
    ).credentials
  }

  mutating func page(_ temporary: TemporaryCredentials) throws -> Response {
    send(Self.request("GET", try temporary.authorizationURL(at: url(.authorize)), nil))
  }

  mutating func decide(
    _ action: String, to temporary: TemporaryCredentials, from page: String? = nil
  ) throws -> Response {
    var headers: HeaderFields = [.contentType: "application/x-www-form-urlencoded"]
    headers.set("Origin", FieldValue(page ?? origin)!)
    let form = FormEncoding.encode([Parameter("oauth_token", temporary.identifier), Parameter("action", action)])
    return send(Self.request("POST", try url(.authorize), nil, headers: headers, body: Array(form.utf8)))
  }

  /// Authorises the application as the user.
  /// - Returns: the verifier from the redirect.
  mutating func verifier(_ temporary: TemporaryCredentials) throws -> Secret {
    let response = try decide("allow", to: temporary)
    let location = try RequestURL(try #require(response.headers.first("Location")))
    guard case .granted(let token, let verifier) = Callback(query: location.query) else {
      throw TestClientError.noVerifier
    }
    #expect(token == temporary.identifier)
    return verifier
  }

  mutating func exchange(_ temporary: TemporaryCredentials, _ verifier: Secret) throws -> Response {
    try send(
      TokenRequest(endpoint: url(.accessToken), temporary: temporary, verifier: verifier)
        .signed(by: TwitterSandbox.consumer, method: method, nonceTimestamp: nonceTimestamp()))
  }

  mutating func login() throws -> TokenCredentials {
    let temporary = try requestToken()
    let response = try exchange(temporary, try verifier(temporary))
    return try TokenResponse(OAuthResponse(status: response.status.code, body: response.body)).credentials
  }

  // MARK: The API

  func signed(_ route: TwitterRoute, _ query: String = "", by token: TokenCredentials) throws -> HTTP.Request {
    let name = route == .invalidateToken ? "POST" : "GET"
    let url = try url(route, query)
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .token(token), method: method)
      .sign(SignableRequest(method: name, url: url), nonceTimestamp: nonceTimestamp())
    return Self.request(name, url, authorization.headerValue)
  }

  mutating func get(_ route: TwitterRoute, _ query: String = "", by token: TokenCredentials) throws -> Response {
    send(try signed(route, query, by: token))
  }

  /// Returns the posts on a page of the home timeline.
  mutating func page(_ query: String = "", by token: TokenCredentials) throws -> [ReceivedPost] {
    let response = try get(.homeTimeline, query, by: token)
    #expect(response.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
    return try ReceivedPost.page(response.body)
  }
}

enum TestClientError: Error { case noVerifier }

extension Response {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The code in the API's JSON error.
  var code: Int? { OAuth.ProviderError(OAuthResponse(status: status.code, body: body), expecting: "an error")?.code }
}
