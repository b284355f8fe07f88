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

  /// Creates a client that has logged in.
  static func loggedIn(
    _ flavour: MastodonFlavour = .mastodon, scopes: String = "read write", limit: Int = 10_000
  ) throws -> MastodonTestClient {
    var client = MastodonTestClient(flavour, limit: limit)
    try client.register(scopes: scopes)
    try client.login(["scope": scopes])
    return client
  }

  /// Sends a form with the token.
  mutating func post(_ target: String, form: [Parameter] = []) -> Response {
    send(OAuth2TestClient.request(.post, target, form: form, ["Authorization": FieldValue("Bearer \(token)")!]))
  }

  mutating func table(_ target: String) throws -> ReceivedTable {
    let response = get(target)
    #expect(response.status == .ok, "\(target): \(response.text)")
    return try ReceivedTable(response)
  }

  /// Returns the value of a member of each element on a page.
  mutating func column(_ member: String, _ target: String) throws -> [String] {
    let table = try table(target)
    return (0..<(table.count(of: "") ?? 0)).map { table[".\($0).\(member)"] ?? "" }
  }

  /// Returns the value of a member of each element on all pages, by following the links to the next page.
  mutating func whole(_ member: String, _ target: String) throws -> [String] {
    var (all, next): ([String], String?) = ([], target)
    while let target = next {
      let response = get(target)
      let table = try ReceivedTable(response)
      all += (0..<(table.count(of: "") ?? 0)).map { table[".\($0).\(member)"] ?? "" }
      next = Self.link("next", response)
    }
    return all
  }

  /// Returns the target of a link without its host.
  static func link(_ relation: String, _ response: Response) -> String? {
    let links = response.headers.first("Link")?.split(separator: ", <") ?? []
    return links.first { $0.hasSuffix("rel=\"\(relation)\"") }?.split(separator: ">").first?
      .trimmingPrefix("<").trimmingPrefix(host).description
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
