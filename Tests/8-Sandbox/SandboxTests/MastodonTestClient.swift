import HTTP
import HomelineOAuth
import JSON
import SandboxSupport
import Testing
import Time

@testable import Sandbox

/// A client of Mastodon's API that calls a simulated server without a socket.
struct MastodonTestClient {
  static let registered = "http://127.0.0.1/cb"
  static let host = "http://127.0.0.1:4000"
  static let home = "/api/v1/timelines/home"

  var server: Faulty<MastodonSandbox>
  var now = OAuth2TestClient.start
  var redirect = "http://127.0.0.1:8765/cb"
  var clientID = ""
  var clientSecret = ""
  var token = ""

  init(_ flavour: MastodonFlavour = .mastodon, limit: Int = 300) {
    server = Faulty(MastodonSandbox(flavour, limit: limit))
    if server.oauth.policy.redirectMatch.isExact { redirect = Self.registered }
  }

  mutating func send(_ request: HTTP.Request) -> Response { server.response(to: request, at: now).response }

  mutating func get(_ target: String) -> Response {
    let headers: HeaderFields = token.isEmpty ? [:] : ["Authorization": FieldValue("Bearer \(token)")!]
    return send(OAuth2TestClient.request(.get, target, headers))
  }

  @discardableResult
  mutating func register(scopes: String = "read:accounts read:statuses", redirect: String = registered) throws
    -> Response
  {
    let response = send(
      OAuth2TestClient.request(
        .post, "/api/v1/apps",
        form: [
          Parameter("client_name", "walker"), Parameter("redirect_uris", redirect), Parameter("scopes", scopes),
        ]))
    guard response.status == .ok else { return response }
    let members = try Self.members(response)
    clientID = try #require(members["client_id"])
    clientSecret = try #require(members["client_secret"])
    return response
  }

  func question(_ changes: OAuth2TestClient.Changes) -> [Parameter] {
    OAuth2TestClient.parameters(
      [
        "response_type": "code", "client_id": clientID, "redirect_uri": redirect,
        "scope": "read:accounts read:statuses",
        "state": "st-1_x", "code_challenge": OAuth2TestClient.challenge, "code_challenge_method": "S256",
      ], changes)
  }

  mutating func decide(_ action: String, _ changes: OAuth2TestClient.Changes = [:]) -> Response {
    send(OAuth2TestClient.request(.post, "/oauth/authorize", form: question(changes) + [Parameter("action", action)]))
  }

  mutating func exchange(_ code: String, _ changes: OAuth2TestClient.Changes = [:]) -> Response {
    requestToken(
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": redirect,
        "code_verifier": OAuth2TestClient.verifier,
      ], changes)
  }

  mutating func requestToken(_ standard: [String: String], _ changes: OAuth2TestClient.Changes = [:]) -> Response {
    let client = ["client_id": clientID, "client_secret": clientSecret]
    return send(
      OAuth2TestClient.request(
        .post, "/oauth/token", form: OAuth2TestClient.parameters(standard.merging(client) { $1 }, changes)))
  }

  /// Registers an application and logs in.
  @discardableResult
  mutating func login(_ changes: OAuth2TestClient.Changes = [:]) throws -> [String: String] {
    if clientID.isEmpty { try register() }
    let code = try #require(try OAuth2TestClient.returned(decide("allow", changes))["code"])
    let members = try Self.members(exchange(code))
    token = try #require(members["access_token"])
    return members
  }

  /// Returns the ids on a page from top to bottom.
  mutating func ids(_ query: String = "") throws -> [String] {
    try Self.posts(get(Self.home + query)).map { $0["id"] ?? "" }
  }

  /// Returns the scalar members of an object as text.
  static func members(_ response: Response) throws -> [String: String] {
    var cursor = JSONCursor(response.body)
    let members = try object(&cursor)
    try cursor.end()
    return members
  }

  static func posts(_ response: Response) throws -> [[String: String]] {
    var cursor = JSONCursor(response.body)
    return try cursor.list { try object(&$0) }
  }

  private static func object(_ cursor: inout JSONCursor) throws -> [String: String] {
    var members: [String: String] = [:]
    try cursor.members { cursor, name in
      switch try cursor.peek() {
      case .string: members[name.text] = try cursor.string()
      case .number: members[name.text] = try cursor.numberText()
      case .object, .array: members[name.text] = "\(try cursor.skip().count) bytes"
      case .boolean, .null: try cursor.skip()
      }
    }
    return members
  }
}

extension RedirectMatch {
  fileprivate var isExact: Bool { if case .exact = self { true } else { false } }
}
