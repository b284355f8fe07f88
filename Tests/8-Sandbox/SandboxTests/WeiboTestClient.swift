import Bytes
import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

/// A client that calls the simulated Weibo without a socket and shares no code with it.
struct WeiboTestClient {
  /// The time in these tests, 2026-11-20T16:00:00Z, which is midnight in China.
  static let start = Timestamp(seconds: 1_795_190_400)
  static let callback = "http://127.0.0.1:8765/callback"

  var weibo = Faulty(WeiboSandbox(redirects: [Self.callback]))
  var now = Self.start

  mutating func send(_ request: HTTP.Request) -> Response { weibo.response(to: request, at: now).response }

  mutating func get(_ route: WeiboRoute, _ parameters: [String: String] = [:]) -> Response {
    let query = Self.form(parameters)
    let target = RequestTarget(route.path + (query.isEmpty ? "" : "?\(query)"))!
    return send(Request(method: .get, target: target, headers: [.host: "127.0.0.1:4000"]))
  }

  mutating func post(_ route: WeiboRoute, _ parameters: [String: String]) -> Response {
    send(
      Request(
        method: .post, target: RequestTarget(route.path)!,
        headers: [.host: "127.0.0.1:4000", .contentType: "application/x-www-form-urlencoded"],
        body: Array(Self.form(parameters).utf8)))
  }

  private static func form(_ parameters: [String: String]) -> String {
    FormEncoding.encode(parameters.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) })
  }

  // MARK: Authorisation

  static let question = [
    "client_id": WeiboSandbox.clientID, "redirect_uri": callback, "response_type": "code", "state": "s t&a=1",
    "scope": "email,follow_app_official_microblog",
  ]

  /// Returns the parameters of the redirect after the user's decision.
  mutating func decide(
    _ action: String, _ question: [String: String] = Self.question
  ) throws -> [String: String] {
    var form = question
    form["action"] = action
    return try Self.returned(by: post(.authorize, form))
  }

  static func returned(by response: Response) throws -> [String: String] {
    let location = try RequestURL(try #require(response.headers.first("Location"), "\(response.text)"))
    let parameters = try FormEncoding.decode(location.query ?? "")
    return Dictionary(uniqueKeysWithValues: parameters.map { ($0.nameText ?? "", $0.valueText ?? "") })
  }

  mutating func exchange(_ code: String?, _ changes: [String: String] = [:]) -> Response {
    let form = [
      "client_id": WeiboSandbox.clientID, "client_secret": WeiboSandbox.clientSecret, "code": code ?? "",
      "grant_type": "authorization_code", "redirect_uri": Self.callback,
    ]
    return post(.token, form.merging(changes) { $1 })
  }

  mutating func login() throws -> String {
    let response = exchange(try decide("allow")["code"])
    return try #require(try ReceivedTable(response)["access_token"], "\(response.text)")
  }

  // MARK: The API

  mutating func page(_ token: String, _ parameters: [String: String] = [:]) throws -> ReceivedTable {
    let response = get(.homeTimeline, parameters.merging(["access_token": token]) { $1 })
    #expect(response.status == .ok, "\(response.text)")
    return try ReceivedTable(response)
  }
}

extension Response {
  /// Weibo's error code.
  var weiboCode: Int? { (try? ReceivedTable(self))?["error_code"].flatMap { Int($0) } }
}
