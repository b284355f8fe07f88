import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("Authorisation on a simulated Mastodon server")
struct MastodonSandboxTests {
  @Test(
    "Each kind of Mastodon server registers applications, issues tokens, and reports the user of a token",
    arguments: MastodonFlavour.allCases)
  func flow(flavour: MastodonFlavour) throws {
    var app = MastodonTestClient(flavour)
    let response = try app.login()
    #expect(response["created_at"] != nil && response["token_type"] == "Bearer")
    #expect((response["scope"] == nil) == (flavour == .snac))
    #expect(response["expires_in"] == (flavour == .akkoma ? "600" : nil))
    #expect((response["refresh_token"] != nil) == (flavour == .akkoma))
    let user = try MastodonTestClient.members(app.get("/api/v1/accounts/verify_credentials"))
    #expect(user["acct"] == "mira_demo" && user["id"] == "14000001")
    #expect(try app.ids().count == 20)
  }

  @Test("Only Mastodon 4.3 publishes metadata and names the issuer in its responses")
  func metadata() throws {
    for flavour in MastodonFlavour.allCases {
      var app = MastodonTestClient(flavour)
      let response = app.get("/.well-known/oauth-authorization-server")
      try app.register()
      let returned = try OAuth2TestClient.returned(app.decide("allow"))
      guard flavour == .mastodon else {
        #expect(response.status == .notFound && returned["iss"] == nil)
        continue
      }
      let members = try MastodonTestClient.members(response)
      #expect(members["issuer"] == MastodonTestClient.host + "/" && returned["iss"] == members["issuer"])
      #expect(members["app_registration_endpoint"] == MastodonTestClient.host + "/api/v1/apps")
    }
  }

  @Test("Of the simulated servers, only Mastodon 4.3 checks the code challenge")
  func proofKey() throws {
    for flavour in MastodonFlavour.allCases {
      var app = MastodonTestClient(flavour)
      try app.register()
      let code = try #require(try OAuth2TestClient.returned(app.decide("allow"))["code"])
      let response = app.exchange(code, ["code_verifier": String(repeating: "w", count: 43)])
      #expect(response.status == (flavour == .mastodon ? .badRequest : .ok), "\(flavour)")
    }
  }

  @Test("All servers but GoToSocial and Akkoma ignore the port of a loopback redirect URI")
  func ports() throws {
    for flavour in MastodonFlavour.allCases {
      var app = MastodonTestClient(flavour)
      try app.register()
      let status = app.decide("allow", ["redirect_uri": "http://127.0.0.1:5555/cb"]).status
      let isExact = flavour == .goToSocial || flavour == .akkoma
      #expect(status == (isExact ? .badRequest : flavour == .snac ? .seeOther : .found), "\(flavour)")
      #expect(app.decide("allow", ["redirect_uri": "http://127.0.0.1/other"]).status == .badRequest)
    }
  }

  @Test("Redirect URIs can be an array or lines of text; old Mastodon versions accept only one URI")
  func severalRedirects() throws {
    let two = "http://127.0.0.1/a\nhttp://127.0.0.1/b"
    var old = MastodonTestClient(.oldMastodon)
    #expect(try old.register(redirect: two).status == StatusCode(422))
    var new = MastodonTestClient(.mastodon)
    #expect(try new.register(redirect: two).status == .ok)
    let list = new.send(
      OAuth2TestClient.request(
        .post, "/api/v1/apps",
        form: [
          Parameter("client_name", "x"), Parameter("redirect_uris[]", "http://127.0.0.1/a"),
          Parameter("redirect_uris[]", "http://127.0.0.1/b"),
        ]))
    #expect(try MastodonTestClient.members(list)["redirect_uri"] == two)
  }

  @Test("An invalid registration is refused with a reason", arguments: ["cb", "/cb", "", "http://a b"])
  func noRegistration(redirect: String) throws {
    var app = MastodonTestClient()
    let response = try app.register(redirect: redirect)
    #expect(response.status == StatusCode(422))
    #expect(
      try MastodonTestClient.members(response)["error"] == "Validation failed: Redirect URI must be an absolute URI.")
  }

  @Test(
    "snac returns errors without a body and does not encode the state, and a revocation removes the application")
  func snac() throws {
    var app = MastodonTestClient(.snac)
    app.token = "made up"
    #expect(app.get("/api/v1/accounts/verify_credentials") == bare(StatusCode(422)))
    #expect(app.get(MastodonTestClient.home) == bare(.unauthorized))
    #expect(app.requestToken(["grant_type": "authorization_code", "code": "x"]).body.isEmpty)
    try app.login()
    let location = try #require(app.decide("allow", ["state": "a%b"]).headers.first("Location"))
    #expect(location.hasSuffix("&state=a%b"))
    let end = app.send(
      OAuth2TestClient.request(
        .post, "/oauth/revoke",
        form: [
          Parameter("client_id", app.clientID), Parameter("client_secret", app.clientSecret),
          Parameter("token", app.token),
        ]))
    #expect(end.status == .ok)
    #expect(app.get(MastodonTestClient.home).status == .unauthorized)
    #expect(app.decide("allow").status == .badRequest, "the server no longer knows the application")
  }

  private func bare(_ status: StatusCode) -> Response {
    var response = Response(status: status, headers: [.contentType: "application/json"])
    response.headers.set("Date", FieldValue(OAuth2TestClient.start.imfFixdate)!)
    return response
  }

  @Test("Unknown tokens and tokens that lack the scope are refused with different errors")
  func refusals() throws {
    var app = MastodonTestClient()
    try app.register(scopes: "read:accounts")
    try app.login(["scope": "read:accounts"])
    #expect(app.get("/api/v1/accounts/verify_credentials").status == .ok)
    let outside = app.get(MastodonTestClient.home)
    #expect(outside.status == .forbidden)
    #expect(try MastodonTestClient.members(outside)["error"] == "This action is outside the authorized scopes")
    app.token = "made up"
    let unknown = app.get(MastodonTestClient.home)
    #expect(unknown.status == .unauthorized)
    #expect(try MastodonTestClient.members(unknown)["error"] == "The access token is invalid")
    #expect(app.get("/api/v1/nothing").status == .notFound)
  }

  @Test("A deleted application gets no new tokens, but its existing tokens remain valid")
  func forgotten() throws {
    var app = MastodonTestClient(.oldMastodon)
    try app.login()
    let code = try #require(try OAuth2TestClient.returned(app.decide("allow"))["code"])
    for id in app.server.oauth.clients.keys { app.server.oauth.forget(client: id) }
    let response = app.exchange(code)
    #expect(response.status == .unauthorized)
    #expect(try MastodonTestClient.members(response)["error"] == "invalid_client")
    #expect(app.get(MastodonTestClient.home).status == .ok)
  }

  @Test("Akkoma's access tokens last ten minutes, and each refresh token works only once")
  func akkoma() throws {
    var app = MastodonTestClient(.akkoma)
    let first = try app.login()
    app.now = app.now + .seconds(600)
    let late = app.get(MastodonTestClient.home)
    #expect(late.status == .unauthorized)
    #expect(try MastodonTestClient.members(late)["error"] == "The access token has expired")
    let refresh = ["grant_type": "refresh_token", "refresh_token": try #require(first["refresh_token"])]
    let second = try MastodonTestClient.members(app.requestToken(refresh))
    app.token = try #require(second["access_token"])
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(app.requestToken(refresh).status == .badRequest)
    #expect(app.get(MastodonTestClient.home).status == .ok, "the new token is valid")
  }

  @Test("A parked or moved server sends the same response on every path")
  func fate() throws {
    var app = MastodonTestClient()
    try app.login()
    app.server.quirks.fate = .parked
    let page = app.get(MastodonTestClient.home)
    #expect(page.status == .ok && page.text.contains("for sale"))
    app.server.quirks.fate = .moved(to: "https://new.example")
    let moved = app.get(MastodonTestClient.home + "?limit=1")
    #expect(moved.status == StatusCode(301))
    #expect(moved.headers.first("Location") == "https://new.example/api/v1/timelines/home?limit=1")
  }
}
