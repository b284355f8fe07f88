import HTTP
import Platform
import Settings
import Testing
import Time

@testable import ControlProtocol

@Suite struct ControlRequestTests {
  static var requests: [any ControlRequest] {
    [
      StatusRequest(), StatusRequest(account: "x"), StatusRequest(account: "a b&c=ü%"),
      RefreshRequest(), RefreshRequest(accounts: ["one", "two\n\"three\""]),
      LoginRequest(), LoginRequest(account: "x", usesDevice: true),
      LoginRequest(account: "x", timeoutSeconds: 86400, usesPIN: true, switchesUser: true),
      LoginRequest(pressesAuthorise: true), LoginRequest(account: "bird", usesToken: true),
      LoginInputRequest(
        login: "Az_-09", .line("http://127.0.0.1/callback?oauth_token=t&oauth_verifier=v \"\\ é")),
      LoginInputRequest(login: "1", .line("")), LoginInputRequest(login: "1", .end),
      LogoutRequest(account: "x"), IssueTokenRequest(), IssueTokenRequest(account: "x"),
      IssueTokenRequest(account: "x", renews: true), ReloadRequest(),
      TimelinesRequest(), TimelinesRequest(account: "x"),
      MarkRequest(account: nil, upTo: nil), MarkRequest(account: "x", upTo: "7\""),
      ImportRequest(account: "x", file: "import-1"),
      PurgeRequest(account: nil, .post("7"), isDryRun: false),
      PurgeRequest(account: "x", .author("ä"), isDryRun: true),
      PurgeRequest(account: "x", .before(Timestamp(seconds: 7)), isDryRun: false),
      PurgeRequest(account: "x", .everything, isDryRun: false),
      ProtectTokensRequest(.files), ProtectTokensRequest(.keyring),
      SendPostRequest(account: nil, text: "a \"b\"\n"), SendPostRequest(account: nil, text: "a", trustsServer: true),
      SendPostRequest(
        account: "x", text: "t", replyTo: "7", visibility: "private", warning: "w", language: "en",
        postAt: Timestamp(seconds: 7), isDryRun: true),
      SendPostRequest(
        account: "x", text: "", files: [SendPostRequest.File(path: "/a b"), .init(path: "/c", description: "\"d\"")],
        keepsMetadata: true),
      OutboxRequest(account: nil, .list), OutboxRequest(account: "x", .retry("out-1")),
      OutboxRequest(account: "x", .retry("out-1"), isConfirmed: true),
      OutboxRequest(account: "x", .discard("out-1")),
      PostActionRequest(account: "x", action: "like", post: "7", undo: true),
    ]
  }
  static let types: [any ControlRequest.Type] = [
    StatusRequest.self, RefreshRequest.self, LoginRequest.self, LoginInputRequest.self, LogoutRequest.self,
    IssueTokenRequest.self, TimelinesRequest.self, MarkRequest.self, ImportRequest.self, PurgeRequest.self,
    SendPostRequest.self,
    OutboxRequest.self, PostActionRequest.self, ReloadRequest.self,
    ProtectTokensRequest.self,
  ]

  /// Parses the bytes of a request as the state's owner does.
  private func parsed(_ bytes: [UInt8]) throws -> Request {
    var parser = RequestParser(limits: .control)
    parser.feed(bytes)
    guard case .request(let request) = parser.next() else { throw Refused() }
    return request
  }
  private struct Refused: Error {}

  @Test("Every control request is read back unchanged", arguments: requests)
  func roundTrip(_ request: any ControlRequest) throws {
    let received = try parsed(request.httpRequest.serialized())
    #expect(received.method == type(of: request).route.method)
    #expect(AnyHashable(try RequestReader.read(received, among: Self.types)) == AnyHashable(request))
  }

  private func refusal(_ method: RequestMethod, _ target: String, _ body: String) throws -> ControlError {
    let request = Request(
      method: method, target: try #require(RequestTarget(target)), headers: [.host: "localhost"],
      body: Array(body.utf8))
    return try #require(throws: ControlError.self) { try RequestReader.read(request, among: Self.types) }
  }

  @Test("An empty request body counts as an empty object if no member is required")
  func noContent() throws {
    func request(_ target: String) throws -> any ControlRequest {
      try RequestReader.read(
        Request(method: .post, target: try #require(RequestTarget(target)), headers: [:]), among: Self.types)
    }
    #expect(try request("/v1/refresh") as? RefreshRequest == RefreshRequest())
    #expect(try request("/v1/login") as? LoginRequest == LoginRequest())
    #expect(try request("/v1/reload") as? ReloadRequest == ReloadRequest())
  }

  @Test(
    "An invalid request body gets 400 and a message with the member's name and the reason",
    arguments: [
      ("/v1/refresh", "{", "ends in the middle"),
      ("/v1/refresh", "[]", "line 1, column 1: expected an object"),
      ("/v1/refresh", "{} x", "line 1, column 4: not valid JSON: expected the end"),
      ("/v1/refresh", #"{"accounts":"x"}"#, #""accounts": line 1, column 13: expected an array"#),
      ("/v1/refresh", #"{"accounts":[1]}"#, #""accounts": line 1, column 14: expected a string"#),
      ("/v1/refresh", "{\n  \"account\": [\"x\"]\n}", #"unknown member "account": line 2, column 14"#),
      ("/v1/refresh", "accounts=x", "line 1, column 1"),
      ("/v1/refresh?x", "{}", "accepts no query"),
      ("/v1/login", #"{"timeout_seconds":0}"#, "1 to 86400"),
      ("/v1/login", #"{"timeout_seconds":86401}"#, "1 to 86400"),
      ("/v1/login", #"{"timeout_seconds":1.5}"#, #""timeout_seconds": line 1, column 20: expected a whole number"#),
      ("/v1/login", #"{"pin":true,"device":true}"#, "cannot be combined"),
      ("/v1/login", #"{"with_token":true,"device":true}"#, "cannot be combined"),
      ("/v1/login", #"{"pin":1}"#, #""pin": line 1, column 8: expected true or false"#),
      ("/v1/login", #"{"switch_user":null}"#, #""switch_user": "#),
      ("/v1/login", #"{"a\u0000b":1}"#, #"unknown member "a\u0000b""#),
      ("/v1/logins/1/input", "", "{\"line\":TEXT} or {\"end\":true}"),
      ("/v1/logins/1/input", #"{"end":false}"#, "{\"line\":TEXT} or {\"end\":true}"),
      ("/v1/logins/1/input", #"{"end":true,"line":""}"#, "{\"line\":TEXT} or {\"end\":true}"),
      ("/v1/logout", "", "must name the account"),
      ("/v1/logout", #"{"account":null}"#, #""account": line 1, column 12: expected a string"#),
      ("/v1/import", #"{"file":"../token.json"}"#, "the name of a file"),
      ("/v1/import", #"{"file":".x"}"#, "the name of a file"),
      ("/v1/import", "", "the name of a file"),
      ("/v1/purge", "", "one of post, author, before and everything"),
      ("/v1/purge", #"{"post":"1","author":"x"}"#, "one of post, author, before and everything"),
      ("/v1/purge", #"{"account":"x","before":"yesterday"}"#, "before must be an RFC 3339 time"),
      ("/v1/purge", #"{"everything":true}"#, "needs the name of an account"),
      ("/v1/reload", #"{"now":true}"#, #"unknown member "now""#),
    ])
  func badContent(_ target: String, _ body: String, _ message: String) throws {
    let refusal = try refusal(.post, target, body)
    #expect(refusal.status == .badRequest)
    #expect(refusal.exitCode == .usage)
    #expect(refusal.message.contains(message), "\(refusal.message)")
  }

  @Test(
    "A query string that contains anything but a single account is refused",
    arguments: ["x=y", "account", "account=a&b=c", "account=%4"])
  func badQuery(_ query: String) throws {
    #expect(try refusal(.get, "/v1/status?\(query)", "").status == .badRequest)
  }

  @Test(
    "A control request for an unknown path gets 404",
    arguments: [
      "/", "/v1", "/v1/", "/v2/status", "/v1/status/", "//v1/status", "/v1/logins/1", "/v1/logins//input",
      "/v1/logins/a.b/input", "/v1/logins/1/input/", "/v1/%73tatus",
    ])
  func unknownPath(_ path: String) throws {
    #expect(try refusal(.get, path, "").status == .notFound)
  }

  @Test(
    "A request whose method the path does not allow gets 405 and the allowed method",
    arguments: [
      (RequestMethod.post, "/v1/status", "GET"), (.head, "/v1/status", "GET"), (.get, "/v1/refresh", "POST"),
      (.put, "/v1/login", "POST"), (.delete, "/v1/logins/1/input", "POST"), (.get, "/v1/logout", "POST"),
      (.get, "/v1/reload", "POST"),
    ])
  func wrongMethod(_ method: RequestMethod, _ path: String, _ allowed: String) throws {
    let refusal = try refusal(method, path, "")
    #expect(refusal.status == .methodNotAllowed)
    #expect(refusal.response.headers.first("Allow") == allowed)
  }
}
