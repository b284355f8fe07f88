import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("A played server of Mastodon's API: who is let in")
struct MastodonSandboxTests {
  @Test(
    "each kind of server registers whoever asks, gives a token, and says whose it is",
    arguments: MastodonFlavour.allCases)
  func road(flavour: MastodonFlavour) throws {
    var walk = MastodonWalk(flavour)
    let answer = try walk.login()
    #expect(answer["created_at"] != nil && answer["token_type"] == "Bearer")
    #expect((answer["scope"] == nil) == (flavour == .snac))
    #expect(answer["expires_in"] == (flavour == .akkoma ? "600" : nil))
    #expect((answer["refresh_token"] != nil) == (flavour == .akkoma))
    let user = try MastodonWalk.members(walk.get("/api/v1/accounts/verify_credentials"))
    #expect(user["acct"] == "mira_demo" && user["id"] == "14000001")
    #expect(try walk.ids().count == 20)
  }

  @Test("only the new Mastodon describes itself, and says who answers")
  func metadata() throws {
    for flavour in MastodonFlavour.allCases {
      var walk = MastodonWalk(flavour)
      let answer = walk.get("/.well-known/oauth-authorization-server")
      try walk.register()
      let returned = try OAuth2Walk.returned(walk.say("allow"))
      guard flavour == .mastodon else {
        #expect(answer.status == .notFound && returned["iss"] == nil)
        continue
      }
      let members = try MastodonWalk.members(answer)
      #expect(members["issuer"] == MastodonWalk.host + "/" && returned["iss"] == members["issuer"])
      #expect(members["app_registration_endpoint"] == MastodonWalk.host + "/api/v1/apps")
    }
  }

  @Test("the new Mastodon holds a client to its challenge, the others do not look at it")
  func proofKey() throws {
    for flavour in MastodonFlavour.allCases {
      var walk = MastodonWalk(flavour)
      try walk.register()
      let code = try #require(try OAuth2Walk.returned(walk.say("allow"))["code"])
      let answer = walk.exchange(code, ["code_verifier": String(repeating: "w", count: 43)])
      #expect(answer.status == (flavour == .mastodon ? .badRequest : .ok), "\(flavour)")
    }
  }

  @Test("the port of a registered loopback address is left aside, but not by GoToSocial and Akkoma")
  func ports() throws {
    for flavour in MastodonFlavour.allCases {
      var walk = MastodonWalk(flavour)
      try walk.register()
      let status = walk.say("allow", ["redirect_uri": "http://127.0.0.1:5555/cb"]).status
      let isExact = flavour == .goToSocial || flavour == .akkoma
      #expect(status == (isExact ? .badRequest : flavour == .snac ? .seeOther : .found), "\(flavour)")
      #expect(walk.say("allow", ["redirect_uri": "http://127.0.0.1/other"]).status == .badRequest)
    }
  }

  @Test("several addresses are a list or lines, and only one at the old Mastodon")
  func severalRedirects() throws {
    let two = "http://127.0.0.1/a\nhttp://127.0.0.1/b"
    var old = MastodonWalk(.oldMastodon)
    #expect(try old.register(redirect: two).status == StatusCode(422))
    var new = MastodonWalk(.mastodon)
    #expect(try new.register(redirect: two).status == .ok)
    let list = new.send(
      OAuth2Walk.request(
        .post, "/api/v1/apps",
        form: [
          Parameter("client_name", "x"), Parameter("redirect_uris[]", "http://127.0.0.1/a"),
          Parameter("redirect_uris[]", "http://127.0.0.1/b"),
        ]))
    #expect(try MastodonWalk.members(list)["redirect_uri"] == two)
  }

  @Test("a registration that is none is refused in words", arguments: ["cb", "/cb", "", "http://a b"])
  func noRegistration(redirect: String) throws {
    var walk = MastodonWalk()
    let answer = try walk.register(redirect: redirect)
    #expect(answer.status == StatusCode(422))
    #expect(try MastodonWalk.members(answer)["error"] == "Validation failed: Redirect URI must be an absolute URI.")
  }

  @Test("snac refuses without a word, gives the state back as it is, and forgets the application with its token")
  func snac() throws {
    var walk = MastodonWalk(.snac)
    walk.token = "made up"
    #expect(walk.get("/api/v1/accounts/verify_credentials") == bare(StatusCode(422)))
    #expect(walk.get(MastodonWalk.home) == bare(.unauthorized))
    #expect(walk.ask(["grant_type": "authorization_code", "code": "x"]).body.isEmpty)
    try walk.login()
    let location = try #require(walk.say("allow", ["state": "a%b"]).headers.first("Location"))
    #expect(location.hasSuffix("&state=a%b"))
    let end = walk.send(
      OAuth2Walk.request(
        .post, "/oauth/revoke",
        form: [
          Parameter("client_id", walk.clientID), Parameter("client_secret", walk.clientSecret),
          Parameter("token", walk.token),
        ]))
    #expect(end.status == .ok)
    #expect(walk.get(MastodonWalk.home).status == .unauthorized)
    #expect(walk.say("allow").status == .badRequest, "the application is not known any more")
  }

  private func bare(_ status: StatusCode) -> Response {
    var response = Response(status: status, headers: [.contentType: "application/json"])
    response.headers.set("Date", FieldValue(OAuth2Walk.start.imfFixdate)!)
    return response
  }

  @Test("a token that may not do it is told so, an unknown one too")
  func refusals() throws {
    var walk = MastodonWalk()
    try walk.register(scopes: "read:accounts")
    try walk.login(["scope": "read:accounts"])
    #expect(walk.get("/api/v1/accounts/verify_credentials").status == .ok)
    let outside = walk.get(MastodonWalk.home)
    #expect(outside.status == .forbidden)
    #expect(try MastodonWalk.members(outside)["error"] == "This action is outside the authorized scopes")
    walk.token = "made up"
    let unknown = walk.get(MastodonWalk.home)
    #expect(unknown.status == .unauthorized)
    #expect(try MastodonWalk.members(unknown)["error"] == "The access token is invalid")
    #expect(walk.get("/api/v1/nothing").status == .notFound)
  }

  @Test("an application that was cleaned away gets no token, and its tokens go on")
  func forgotten() throws {
    var walk = MastodonWalk(.oldMastodon)
    try walk.login()
    let code = try #require(try OAuth2Walk.returned(walk.say("allow"))["code"])
    walk.server.forgetApplications()
    let answer = walk.exchange(code)
    #expect(answer.status == .unauthorized)
    #expect(try MastodonWalk.members(answer)["error"] == "invalid_client")
    #expect(walk.get(MastodonWalk.home).status == .ok)
  }

  @Test("Akkoma's tokens end after ten minutes, and each refresh token is good once")
  func akkoma() throws {
    var walk = MastodonWalk(.akkoma)
    let first = try walk.login()
    walk.now = walk.now + .seconds(600)
    let late = walk.get(MastodonWalk.home)
    #expect(late.status == .unauthorized)
    #expect(try MastodonWalk.members(late)["error"] == "The access token has expired")
    let refresh = ["grant_type": "refresh_token", "refresh_token": try #require(first["refresh_token"])]
    let second = try MastodonWalk.members(walk.ask(refresh))
    walk.token = try #require(second["access_token"])
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(walk.ask(refresh).status == .badRequest)
    #expect(walk.get(MastodonWalk.home).status == .ok, "the new one goes on")
  }

  @Test("what goes wrong with one answer is told path by path")
  func faults() throws {
    var walk = MastodonWalk()
    try walk.login()
    walk.server.faults.add(.drop(worked: false), to: MastodonWalk.home)
    let request = OAuth2Walk.request(.get, MastodonWalk.home, ["Authorization": FieldValue("Bearer \(walk.token)")!])
    #expect(walk.server.answer(to: request, at: walk.now).isDropped)
    #expect(!walk.server.answer(to: request, at: walk.now).isDropped)
  }

  @Test("a server that is gone answers for another on every path")
  func fate() throws {
    var walk = MastodonWalk()
    try walk.login()
    walk.server.oddities.fate = .parked
    let page = walk.get(MastodonWalk.home)
    #expect(page.status == .ok && page.text.contains("for sale"))
    walk.server.oddities.fate = .moved(to: "https://new.example")
    let moved = walk.get(MastodonWalk.home + "?limit=1")
    #expect(moved.status == StatusCode(301))
    #expect(moved.headers.first("Location") == "https://new.example/api/v1/timelines/home?limit=1")
  }
}
