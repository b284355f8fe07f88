import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

/// A client of X, made by hand.
private struct XWalk {
  static let redirect = "http://127.0.0.1:8765/callback"
  var x = XSandbox(redirects: [Self.redirect])
  var now = OAuth2Walk.start
  var clientID = XSandbox.publicClientID

  mutating func send(_ request: HTTP.Request) -> Response { x.answer(to: request, at: now).response }

  func question(_ changes: OAuth2Walk.Changes) -> [Parameter] {
    OAuth2Walk.parameters(
      [
        "response_type": "code", "client_id": clientID, "redirect_uri": Self.redirect,
        "scope": "tweet.read users.read offline.access", "state": "st", "code_challenge": OAuth2Walk.challenge,
        "code_challenge_method": "S256",
      ], changes)
  }

  mutating func code(_ changes: OAuth2Walk.Changes = [:], path: String = "/i/oauth2/authorize") throws -> String {
    let query = FormEncoding.encode(question(changes))
    #expect(send(OAuth2Walk.request(.get, "\(path)?\(query)")).text.contains("id=\"allow\""))
    let response = send(OAuth2Walk.request(.post, path, form: question(changes) + [Parameter("action", "allow")]))
    return try #require(try OAuth2Walk.returned(response)["code"])
  }

  mutating func exchange(
    _ code: String, _ changes: OAuth2Walk.Changes = [:], _ headers: HeaderFields = [:]
  ) -> Response {
    let form = OAuth2Walk.parameters(
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect, "client_id": clientID,
        "code_verifier": OAuth2Walk.verifier,
      ], changes)
    return send(OAuth2Walk.request(.post, "/2/oauth2/token", form: form, headers))
  }

  mutating func refresh(_ token: String) -> Response {
    send(
      OAuth2Walk.request(
        .post, "/2/oauth2/token",
        form: [
          Parameter("grant_type", "refresh_token"), Parameter("refresh_token", token), Parameter("client_id", clientID),
        ]))
  }

  static func texts(_ response: Response) throws -> [String: String] { try V2OnTheWire(response.body).texts }

  mutating func login(_ changes: OAuth2Walk.Changes = [:]) throws -> [String: String] {
    let response = exchange(try code(changes))
    #expect(response.status == .ok, "\(response.text)")
    return try Self.texts(response)
  }

  mutating func get(_ path: String, _ token: String?) -> Response {
    send(OAuth2Walk.request(.get, path, token.map { ["Authorization": FieldValue("Bearer \($0)")!] } ?? [:]))
  }
}

@Suite("X with OAuth 2.0 in the sandbox")
struct XSandboxTests {
  private static let me = "/2/users/me"
  private static let timeline = "/2/users/14000001/timelines/reverse_chronological"
  private static let deadToken = [
    "error": "invalid_request", "error_description": "Value passed for the token was invalid.",
  ]
  private static let deadCode = [
    "error": "invalid_request", "error_description": "Value passed for the authorization code was invalid.",
  ]

  @Test("the way leads from either authorise address to the posts", arguments: [XRoute.authorizePage, .authorize])
  func wholeWay(route: XRoute) throws {
    var walk = XWalk()
    let answer = try XWalk.texts(walk.exchange(walk.code(path: route.path)))
    #expect(Set(answer.keys) == ["token_type", "expires_in", "access_token", "scope", "refresh_token"])
    #expect(answer["token_type"] == "bearer" && answer["expires_in"] == "7200")
    let token = try #require(answer["access_token"])
    #expect(try XWalk.texts(walk.get(Self.me, token))["username"] == "mira_demo")
    let page = walk.get("\(Self.timeline)?max_results=50", token)
    #expect(page.headers.first("x-rate-limit-remaining") == "179")
    #expect(try V2OnTheWire(page.body).posts.count == 50)
    #expect(walk.x.ledger == SandboxLedger(pages: 1, posts: 50, users: 1))
  }

  @Test("a refresh token comes for offline.access only")
  func offline() throws {
    var walk = XWalk()
    #expect(try walk.login(["scope": "tweet.read users.read"])["refresh_token"] == nil)
  }

  @Test("a code lives 30 seconds and works once")
  func code() throws {
    var walk = XWalk()
    let code = try walk.code()
    let late = try walk.code()
    walk.now = walk.now + .milliseconds(29_999)
    let token = try #require(try XWalk.texts(walk.exchange(code))["access_token"])
    walk.now = walk.now + .milliseconds(1)
    for dead in [late, code, "made-up"] {
      let response = walk.exchange(dead)
      #expect(response.status == .badRequest)
      #expect(try XWalk.texts(response) == Self.deadCode)
    }
    #expect(walk.get(Self.me, token).status == .unauthorized, "its code was used twice")
  }

  @Test("the access token ends after two hours, and is refreshed")
  func refresh() throws {
    var walk = XWalk()
    let first = try walk.login()
    walk.now = walk.now + .milliseconds(7_199_999)
    #expect(walk.get(Self.me, first["access_token"]).status == .ok)
    walk.now = walk.now + .milliseconds(1)
    let refused = walk.get(Self.me, first["access_token"])
    #expect(refused.status == .unauthorized)
    #expect(try XWalk.texts(refused)["type"] == "about:blank")
    let second = try XWalk.texts(walk.refresh(first["refresh_token"]!))
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(walk.get(Self.me, second["access_token"]).status == .ok)
  }

  @Test("a refresh token that is used twice is answered as X does, and ends the login")
  func family() throws {
    var walk = XWalk()
    let first = try walk.login()
    let second = try XWalk.texts(walk.refresh(first["refresh_token"]!))
    for dead in [first["refresh_token"]!, second["refresh_token"]!, "made-up"] {
      let response = walk.refresh(dead)
      #expect(response.status == .badRequest)
      #expect(try XWalk.texts(response) == Self.deadToken)
    }
    #expect(walk.get(Self.me, second["access_token"]).status == .unauthorized)
  }

  @Test("another port is another redirect URI")
  func port() {
    var walk = XWalk()
    let changes = ["redirect_uri": "http://127.0.0.1:8766/callback"]
    let query = FormEncoding.encode(walk.question(changes))
    let response = walk.send(OAuth2Walk.request(.get, "/i/oauth2/authorize?\(query)"))
    #expect(response.status == .badRequest && response.headers.first("Location") == nil)
  }

  @Test("a confidential client shows its secret in the header, and in no other way")
  func confidential() throws {
    var walk = XWalk()
    walk.clientID = XSandbox.confidentialClientID
    let secret = XSandbox.confidentialClientSecret
    let code = try walk.code()
    for (changes, headers): (OAuth2Walk.Changes, HeaderFields) in [
      ([:], [:]), (["client_secret": secret], [:]), ([:], OAuth2Walk.basic(walk.clientID, "wrong")),
    ] {
      let response = walk.exchange(code, changes, headers)
      #expect(response.status == .unauthorized)
      #expect(try XWalk.texts(response)["error"] == "unauthorized_client")
    }
    #expect(walk.exchange(code, [:], OAuth2Walk.basic(walk.clientID, secret)).status == .ok)
  }

  @Test("a wrong verifier and a wrong redirect URI are named")
  func named() throws {
    var walk = XWalk()
    let code = try walk.code()
    for (changes, word) in [
      (["code_verifier": String(repeating: "v", count: 43)], "code verifier"),
      (["redirect_uri": "http://x/"], "redirect uri"),
    ] {
      let response = walk.exchange(code, changes)
      #expect(response.status == .badRequest && response.text.contains(word))
    }
  }

  @Test("without the scopes the API is closed, and without a token too")
  func scopes() throws {
    var walk = XWalk()
    let token = try walk.login(["scope": "tweet.read offline.access"])["access_token"]
    #expect(walk.get(Self.me, token).status == .forbidden)
    #expect(walk.get(Self.me, nil).status == .unauthorized)
    #expect(walk.get("/2/nothing", token).status == .notFound)
    #expect(walk.x.ledger == SandboxLedger())
  }

  @Test("a revoked token opens nothing")
  func revoked() throws {
    var walk = XWalk()
    let issued = try walk.login()
    let response = walk.send(
      OAuth2Walk.request(
        .post, "/2/oauth2/revoke",
        form: [Parameter("token", issued["access_token"]!), Parameter("client_id", walk.clientID)]))
    #expect(response.status == .ok)
    #expect(walk.get(Self.me, issued["access_token"]).status == .unauthorized)
  }

  @Test("an outage of users/me heals, an application can be out of every package, and credit can be used up")
  func faults() throws {
    var walk = XWalk()
    let token = try walk.login()["access_token"]
    walk.x.faults.add(.unauthorized, to: Self.me, times: 2)
    walk.x.faults.add(.clientNotEnrolled, to: Self.me)
    #expect([401, 401, 403, 200].allSatisfy { walk.get(Self.me, token).status.code == $0 })
    walk.x.v2Faults.credit = 0
    #expect(walk.get(Self.timeline, token).status.code == 402)
  }

  @Test("a refresh whose answer is lost has rotated, unless it was lost before")
  func lost() throws {
    for worked in [false, true] {
      var walk = XWalk()
      let refresh = try #require(try walk.login()["refresh_token"])
      walk.x.faults.add(.drop(worked: worked), to: XRoute.token.path)
      _ = walk.refresh(refresh)
      #expect(walk.refresh(refresh).status == (worked ? .badRequest : .ok))
    }
  }

  @Test("lives go by the provider's clock")
  func clock() throws {
    var walk = XWalk()
    let token = try walk.login()["access_token"]
    walk.x.clockOffset = .seconds(7_200)
    #expect(walk.get(Self.me, token).status == .unauthorized)
    #expect(walk.x.clock(at: walk.now) == walk.now + .seconds(7_200))
  }
}
