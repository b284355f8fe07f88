import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

/// An X client written without homeline's code.
private struct XTestClient {
  static let redirect = "http://127.0.0.1:8765/callback"
  var x = Faulty(XSandbox(redirects: [Self.redirect]))
  var now = OAuth2TestClient.start
  var clientID = XSandbox.publicClientID

  mutating func send(_ request: HTTP.Request) -> Response { x.response(to: request, at: now).response }

  func question(_ changes: OAuth2TestClient.Changes) -> [Parameter] {
    OAuth2TestClient.parameters(
      [
        "response_type": "code", "client_id": clientID, "redirect_uri": Self.redirect,
        "scope": "tweet.read users.read offline.access", "state": "st", "code_challenge": OAuth2TestClient.challenge,
        "code_challenge_method": "S256",
      ], changes)
  }

  mutating func code(_ changes: OAuth2TestClient.Changes = [:], path: String = "/i/oauth2/authorize") throws -> String {
    let query = FormEncoding.encode(question(changes))
    #expect(send(OAuth2TestClient.request(.get, "\(path)?\(query)")).text.contains("id=\"allow\""))
    let response = send(OAuth2TestClient.request(.post, path, form: question(changes) + [Parameter("action", "allow")]))
    return try #require(try OAuth2TestClient.returned(response)["code"])
  }

  mutating func exchange(
    _ code: String, _ changes: OAuth2TestClient.Changes = [:], _ headers: HeaderFields = [:]
  ) -> Response {
    let form = OAuth2TestClient.parameters(
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect, "client_id": clientID,
        "code_verifier": OAuth2TestClient.verifier,
      ], changes)
    return send(OAuth2TestClient.request(.post, "/2/oauth2/token", form: form, headers))
  }

  mutating func refresh(_ token: String) -> Response {
    send(
      OAuth2TestClient.request(
        .post, "/2/oauth2/token",
        form: [
          Parameter("grant_type", "refresh_token"), Parameter("refresh_token", token), Parameter("client_id", clientID),
        ]))
  }

  static func texts(_ response: Response) throws -> [String: String] { try ReceivedV2Page(response.body).texts }

  mutating func login(_ changes: OAuth2TestClient.Changes = [:]) throws -> [String: String] {
    let response = exchange(try code(changes))
    #expect(response.status == .ok, "\(response.text)")
    return try Self.texts(response)
  }

  mutating func get(_ path: String, _ token: String?) -> Response {
    send(OAuth2TestClient.request(.get, path, token.map { ["Authorization": FieldValue("Bearer \($0)")!] } ?? [:]))
  }
}

@Suite("OAuth 2.0 on the simulated X")
struct XSandboxTests {
  private static let me = "/2/users/me"
  private static let timeline = "/2/users/14000001/timelines/reverse_chronological"
  private static let deadToken = [
    "error": "invalid_request", "error_description": "Value passed for the token was invalid.",
  ]
  private static let deadCode = [
    "error": "invalid_request", "error_description": "Value passed for the authorization code was invalid.",
  ]

  @Test(
    "A login to the simulated X works from both authorisation endpoints", arguments: [XRoute.authorizePage, .authorize])
  func wholeWay(route: XRoute) throws {
    var app = XTestClient()
    let response = try XTestClient.texts(app.exchange(app.code(path: route.path)))
    #expect(Set(response.keys) == ["token_type", "expires_in", "access_token", "scope", "refresh_token"])
    #expect(response["token_type"] == "bearer" && response["expires_in"] == "7200")
    let token = try #require(response["access_token"])
    #expect(try XTestClient.texts(app.get(Self.me, token))["username"] == "mira_demo")
    let page = app.get("\(Self.timeline)?max_results=50", token)
    #expect(page.headers.first("x-rate-limit-remaining") == "179")
    #expect(try ReceivedV2Page(page.body).posts.count == 50)
    #expect(app.x.delivered == DeliveryCount(pages: 1, posts: 50, users: 1))
  }

  @Test("X issues a refresh token only with the scope offline.access")
  func offline() throws {
    var app = XTestClient()
    #expect(try app.login(["scope": "tweet.read users.read"])["refresh_token"] == nil)
  }

  @Test("X's authorisation code is valid for 30 seconds and works only once")
  func code() throws {
    var app = XTestClient()
    let code = try app.code()
    let late = try app.code()
    app.now = app.now + .milliseconds(29_999)
    let token = try #require(try XTestClient.texts(app.exchange(code))["access_token"])
    app.now = app.now + .milliseconds(1)
    for dead in [late, code, "made-up"] {
      let response = app.exchange(dead)
      #expect(response.status == .badRequest)
      #expect(try XTestClient.texts(response) == Self.deadCode)
    }
    #expect(app.get(Self.me, token).status == .unauthorized, "the token's code was used a second time")
  }

  @Test("X's access token expires after two hours and can be refreshed")
  func refresh() throws {
    var app = XTestClient()
    let first = try app.login()
    app.now = app.now + .milliseconds(7_199_999)
    #expect(app.get(Self.me, first["access_token"]).status == .ok)
    app.now = app.now + .milliseconds(1)
    let refused = app.get(Self.me, first["access_token"])
    #expect(refused.status == .unauthorized)
    #expect(try XTestClient.texts(refused)["type"] == "about:blank")
    let second = try XTestClient.texts(app.refresh(first["refresh_token"]!))
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(app.get(Self.me, second["access_token"]).status == .ok)
  }

  @Test("A second use of a refresh token fails with X's error and revokes the login")
  func family() throws {
    var app = XTestClient()
    let first = try app.login()
    let second = try XTestClient.texts(app.refresh(first["refresh_token"]!))
    for dead in [first["refresh_token"]!, second["refresh_token"]!, "made-up"] {
      let response = app.refresh(dead)
      #expect(response.status == .badRequest)
      #expect(try XTestClient.texts(response) == Self.deadToken)
    }
    #expect(app.get(Self.me, second["access_token"]).status == .unauthorized)
  }

  @Test("X refuses a redirect URI with a different port")
  func port() {
    var app = XTestClient()
    let changes = ["redirect_uri": "http://127.0.0.1:8766/callback"]
    let query = FormEncoding.encode(app.question(changes))
    let response = app.send(OAuth2TestClient.request(.get, "/i/oauth2/authorize?\(query)"))
    #expect(response.status == .badRequest && response.headers.first("Location") == nil)
  }

  @Test("A confidential X client must send its secret in the header")
  func confidential() throws {
    var app = XTestClient()
    app.clientID = XSandbox.confidentialClientID
    let secret = XSandbox.confidentialClientSecret
    let code = try app.code()
    for (changes, headers): (OAuth2TestClient.Changes, HeaderFields) in [
      ([:], [:]), (["client_secret": secret], [:]), ([:], OAuth2TestClient.basic(app.clientID, "wrong")),
    ] {
      let response = app.exchange(code, changes, headers)
      #expect(response.status == .unauthorized)
      #expect(try XTestClient.texts(response)["error"] == "unauthorized_client")
    }
    #expect(app.exchange(code, [:], OAuth2TestClient.basic(app.clientID, secret)).status == .ok)
  }

  @Test("A wrong verifier and a wrong redirect URI produce different errors")
  func named() throws {
    var app = XTestClient()
    let code = try app.code()
    for (changes, word) in [
      (["code_verifier": String(repeating: "v", count: 43)], "code verifier"),
      (["redirect_uri": "http://x/"], "redirect uri"),
    ] {
      let response = app.exchange(code, changes)
      #expect(response.status == .badRequest && response.text.contains(word))
    }
  }

  @Test("X's API requires a token with the right scopes")
  func scopes() throws {
    var app = XTestClient()
    let token = try app.login(["scope": "tweet.read offline.access"])["access_token"]
    #expect(app.get(Self.me, token).status == .forbidden)
    #expect(app.get(Self.me, nil).status == .unauthorized)
    #expect(app.get("/2/nothing", token).status == .notFound)
    #expect(app.x.delivered == DeliveryCount())
  }

  @Test("X's API refuses a revoked token")
  func revoked() throws {
    var app = XTestClient()
    let issued = try app.login()
    let response = app.send(
      OAuth2TestClient.request(
        .post, "/2/oauth2/revoke",
        form: [Parameter("token", issued["access_token"]!), Parameter("client_id", app.clientID)]))
    #expect(response.status == .ok)
    #expect(app.get(Self.me, issued["access_token"]).status == .unauthorized)
  }

  @Test("A refresh whose response is lost rotates the token; a refresh whose request is lost does not")
  func lost() throws {
    for worked in [false, true] {
      var app = XTestClient()
      let refresh = try #require(try app.login()["refresh_token"])
      app.x.faults.add(.drop(worked: worked), to: XRoute.token.path)
      _ = app.refresh(refresh)
      #expect(app.refresh(refresh).status == (worked ? .badRequest : .ok))
    }
  }

  @Test("Token lifetimes follow the simulated provider's clock")
  func clock() throws {
    var app = XTestClient()
    let token = try app.login()["access_token"]
    app.x.clockOffset = .seconds(7_200)
    #expect(app.get(Self.me, token).status == .unauthorized)
    #expect(app.x.clock(at: app.now) == app.now + .seconds(7_200))
  }

  @Test(
    "A post on X requires the scope and JSON without unknown members; quotes and unsolicited replies are refused")
  func posts() throws {
    var client = XTestClient()
    func post(_ body: String, _ token: String, type: String = "application/json", _ client: inout XTestClient) -> Int {
      client.send(
        HTTP.Request(
          method: .post, target: RequestTarget("/2/tweets")!,
          headers: ["Authorization": FieldValue("Bearer \(token)")!, .contentType: FieldValue(type)!],
          body: Array(body.utf8))
      ).status.code
    }
    let reader = try #require(try client.login()["access_token"])
    #expect(post(#"{"text":"a"}"#, reader, &client) == 403)
    let scope = "tweet.read users.read offline.access tweet.write"
    let writer = try #require(try client.login(["scope": scope])["access_token"])
    for (body, status) in [
      (#"{"text":"a"}"#, 201), (#"{"text":"a"}"#, 403), (#"{"text":"b","status":"c"}"#, 400), ("text=b", 400),
      (#"{"text":"b","quote_tweet_id":"1"}"#, 403), (#"{"text":""}"#, 400),
      (#"{"text":"b","reply":{"in_reply_to_tweet_id":"1"}}"#, 400),
      (#"{"text":"b","reply":{"in_reply_to_tweet_id":"1","other":2}}"#, 400),
    ] { #expect(post(body, writer, &client) == status, "\(body)") }
    #expect(post(#"{"text":"b"}"#, writer, type: "application/x-www-form-urlencoded", &client) == 400)
    #expect(client.x.provider.api.publications.posts.map { $0.pieces.map(\.text) } == [["a"]])
  }
}
