import Bytes
import HTTP
import HomelineOAuth
import Testing
import Time

@testable import Sandbox

/// An OAuth 2.0 client that calls a server without a socket. Each step can change parameters; `nil` omits a
/// parameter.
struct OAuth2TestClient {
  typealias Changes = [String: String?]

  /// The time in these tests, 2026-11-20T16:00:00Z.
  static let start = Timestamp(seconds: 1_795_190_400)
  static let redirect = "http://127.0.0.1:8765/callback"
  /// The code verifier in RFC 7636, appendix B.
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let secret = "a b:c/&=%+"

  var server: OAuth2Server
  var now = Self.start
  /// The client's identifier: `open` is a public client, and `closed` a confidential one.
  var clientID = "open"

  init(paths: OAuth2Paths = OAuth2Paths(), _ change: (inout OAuth2Policy) -> Void = { _ in }) {
    var policy = OAuth2Policy()
    change(&policy)
    server = OAuth2Server(policy: policy, paths: paths)
    for (id, secret) in [("open", nil), ("closed", Self.secret), ("other", nil)] {
      server.register(
        SandboxClient(
          identifier: id, secret: secret, redirects: [Self.redirect, SandboxClient.outOfBand],
          scopes: ["read", "write", "keep"]))
    }
  }

  static func request(
    _ method: RequestMethod, _ target: String, form: [Parameter]? = nil, _ headers: HeaderFields = [:]
  ) -> HTTP.Request {
    var headers = headers
    headers.set(.host, "127.0.0.1:4000")
    if form != nil { headers.set(.contentType, "application/x-www-form-urlencoded") }
    return Request(
      method: method, target: RequestTarget(target)!, headers: headers,
      body: Array(FormEncoding.encode(form ?? []).utf8))
  }

  static func parameters(_ standard: [String: String], _ changes: Changes) -> [Parameter] {
    standard.merging(changes.compactMapValues { $0 }) { $1 }
      .filter { changes[$0.key] == nil || changes[$0.key]! != nil }
      .sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }
  }

  // MARK: Authorisation endpoint

  func question(_ changes: Changes = [:]) -> [Parameter] {
    Self.parameters(
      [
        "response_type": "code", "client_id": clientID, "redirect_uri": Self.redirect, "scope": "read keep",
        "state": "st-1", "code_challenge": Self.challenge, "code_challenge_method": "S256",
      ], changes)
  }

  func page(_ changes: Changes = [:], more: String = "") -> Response {
    server.authorizePage(Self.request(.get, "/oauth/authorize?\(FormEncoding.encode(question(changes)))\(more)"))
  }

  mutating func decide(_ action: String, _ changes: Changes = [:], origin: String? = nil) -> Response {
    var headers: HeaderFields = [:]
    if let origin { headers.set("Origin", FieldValue(origin)!) }
    return server.decide(
      Self.request(.post, "/oauth/authorize", form: question(changes) + [Parameter("action", action)], headers),
      at: now)
  }

  /// Returns the parameters of the redirect.
  static func returned(_ response: Response) throws -> [String: String] {
    let location = try RequestURL(try #require(response.headers.first("Location")))
    return Dictionary(
      try FormEncoding.decode(location.query ?? "").map { ($0.nameText ?? "", $0.valueText ?? "") },
      uniquingKeysWith: { "\($0),\($1)" })
  }

  mutating func code(_ changes: Changes = [:]) throws -> String {
    try #require(try Self.returned(decide("allow", changes))["code"])
  }

  // MARK: Token endpoint

  mutating func exchange(
    _ code: String, _ changes: Changes = [:], _ headers: HeaderFields = [:]
  ) throws(OAuth2Error) -> IssuedTokens {
    try requestToken(
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect, "client_id": clientID,
        "code_verifier": Self.verifier,
      ], changes, headers)
  }

  mutating func refresh(_ token: String, _ changes: Changes = [:]) throws(OAuth2Error) -> IssuedTokens {
    try requestToken(["grant_type": "refresh_token", "refresh_token": token, "client_id": clientID], changes)
  }

  mutating func requestToken(
    _ standard: [String: String], _ changes: Changes = [:], _ headers: HeaderFields = [:]
  ) throws(OAuth2Error) -> IssuedTokens {
    try server.token(
      Self.request(.post, "/oauth/token", form: Self.parameters(standard, changes), headers), at: now)
  }

  mutating func login(_ changes: Changes = [:]) throws -> IssuedTokens { try exchange(try code(changes)) }

  /// Returns an Authorization header, which is encoded without homeline's code (RFC 6749 §2.3.1).
  static func basic(_ name: String, _ secret: String) -> HeaderFields {
    let pair = PercentEncoding.encode(name) + ":" + PercentEncoding.encode(secret)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bits = pair.utf8.map { byte in
      let digits = String(byte, radix: 2)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    let padded = Array(bits + String(repeating: "0", count: (6 - bits.count % 6) % 6))
    var text = ""
    for start in stride(from: 0, to: padded.count, by: 6) {
      text.append(alphabet[Int(String(padded[start..<(start + 6)]), radix: 2)!])
    }
    return ["Authorization": FieldValue("Basic \(text)\(String(repeating: "=", count: (4 - text.count % 4) % 4))")!]
  }

  // MARK: Access

  func admit(
    bearing token: String, scheme: String = "Bearer"
  ) throws(AccessTokenError) -> SandboxGrant {
    try server.admit(
      Self.request(.get, "/api", ["Authorization": FieldValue("\(scheme) \(token)")!]), at: now)
  }

  /// Returns whether the server accepts the token.
  func works(_ token: String) -> Bool { (try? admit(bearing: token)) != nil }
}
