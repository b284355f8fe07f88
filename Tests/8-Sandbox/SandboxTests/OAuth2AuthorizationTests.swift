import HTTP
import HomelineOAuth
import Testing

@testable import Sandbox

@Suite("The sandbox's authorisation endpoint (OAuth 2.0)")
struct OAuth2AuthorizationTests {
  @Test("The authorisation page has both buttons, and its form repeats the parameters of the request")
  func page() {
    let app = OAuth2TestClient()
    let response = app.page(["state": "a\"<b"])
    #expect(response.status == .ok)
    for part in [
      "id=\"allow\"", "id=\"deny\"", "<form method=\"post\" action=\"/oauth/authorize\">",
      "name=\"code_challenge\" value=\"\(OAuth2TestClient.challenge)\"", "name=\"state\" value=\"a&quot;&lt;b\"",
      "name=\"redirect_uri\" value=\"\(OAuth2TestClient.redirect)\"", "<code>read</code>, <code>keep</code>",
    ] { #expect(response.text.contains(part), "\(part)") }
    #expect(
      response.headers.first("Content-Security-Policy")?.hasSuffix("form-action 'self' http://127.0.0.1:8765") == true)
  }

  @Test("The redirect after an authorisation contains the code and the unchanged state")
  func allow() throws {
    var app = OAuth2TestClient()
    let response = app.decide("allow", ["state": "a b&c=d%"])
    #expect(response.status == .found)
    let back = try OAuth2TestClient.returned(response)
    #expect(Set(back.keys) == ["code", "state"] && back["state"] == "a b&c=d%")
    #expect(try app.code() != back["code"])
  }

  @Test("The redirect after a denial contains the state, unless the policy says otherwise")
  func deny() throws {
    var app = OAuth2TestClient()
    var back = try OAuth2TestClient.returned(app.decide("deny"))
    #expect(back["error"] == "access_denied" && back["state"] == "st-1" && back["error_description"] != nil)
    #expect(back["code"] == nil)
    app.server.policy.errorsOmitState = true
    back = try OAuth2TestClient.returned(app.decide("deny"))
    #expect(back["error"] == "access_denied" && back["state"] == nil)
    #expect(try OAuth2TestClient.returned(app.decide("allow"))["state"] == "st-1")
  }

  @Test(
    "For an unknown client or redirect URI, the user sees a page and is not redirected",
    arguments: [
      ["client_id": "nobody"], ["client_id": nil], ["redirect_uri": nil],
      ["redirect_uri": "http://127.0.0.1:8766/callback"], ["redirect_uri": "http://127.0.0.1:8765/callback/"],
      ["redirect_uri": "http://localhost:8765/callback"], ["redirect_uri": "http://127.0.0.1:8765/callback?a=b"],
    ] as [OAuth2TestClient.Changes])
  func unknown(changes: OAuth2TestClient.Changes) {
    var app = OAuth2TestClient()
    for response in [app.page(changes), app.decide("allow", changes), app.decide("deny", changes)] {
      #expect(response.status == .badRequest)
      #expect(response.headers.first("Location") == nil)
    }
  }

  @Test("The policy can allow a different port in a literal loopback redirect URI, but no other difference")
  func anyPort() {
    var app = OAuth2TestClient { $0.redirectMatch = .anyLoopbackPort }
    app.server.register(
      SandboxClient(
        identifier: "open", redirects: [OAuth2TestClient.redirect, "http://localhost:1/c", "https://example.org:1/c"],
        scopes: ["read", "keep"]))
    #expect(app.page(["redirect_uri": "http://127.0.0.1:9/callback"]).status == .ok)
    for other in [
      "http://127.0.0.1:9/callback/", "http://127.0.0.1:9/callback?x", "http://127.0.0.2:8765/callback",
      "http://localhost:2/c", "https://example.org:2/c", "https://127.0.0.1:8765/callback",
    ] { #expect(app.page(["redirect_uri": other]).status == .badRequest, "\(other)") }
  }

  @Test(
    "All authorisation errors except an unknown client or redirect URI are sent to the client",
    arguments: [
      (["response_type": "token"], "unsupported_response_type"), (["response_type": nil], "invalid_request"),
      (["scope": "read fly"], "invalid_scope"), (["scope": nil], "invalid_scope"),
      (["code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
      (["code_challenge": nil], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
      (["code_challenge_method": "S512"], "invalid_request"), (["code_challenge_method": "plain"], "invalid_request"),
      (["code_challenge_method": nil], "invalid_request"),
      (["state": String(repeating: "s", count: 501)], "invalid_request"),
    ] as [(OAuth2TestClient.Changes, String)])
  func redirectedError(changes: OAuth2TestClient.Changes, error: String) throws {
    var app = OAuth2TestClient()
    for response in [app.page(changes), app.decide("allow", changes)] {
      let back = try OAuth2TestClient.returned(response)
      #expect(back["error"] == error && back["code"] == nil)
      if changes["state"] == nil { #expect(back["state"] == "st-1") }
    }
  }

  @Test("An authorisation request with a repeated parameter is an error")
  func twice() throws {
    let app = OAuth2TestClient()
    #expect(app.page(more: "&client_id=open").status == .badRequest)
    #expect(try OAuth2TestClient.returned(app.page(more: "&scope=read"))["error"] == "invalid_request")
  }

  @Test("Authorisation forms from other pages and forms without a decision are refused")
  func foreign() {
    var app = OAuth2TestClient()
    #expect(app.decide("allow", origin: "http://example.org").status == .badRequest)
    #expect(app.decide("allow", origin: "http://127.0.0.1:4000").status == .found)
    #expect(app.decide("perhaps").status == .badRequest)
  }

  @Test("If the policy requires it, every redirect contains iss, with either the correct or a deliberately wrong value")
  func issuer() throws {
    var app = OAuth2TestClient {
      $0.sendsIssuer = true
      $0.issuerPath = "/"
    }
    for action in ["allow", "deny"] {
      #expect(try OAuth2TestClient.returned(app.decide(action))["iss"] == "http://127.0.0.1:4000/")
    }
    app.server.policy.wrongIssuer = "http://evil.example"
    #expect(try OAuth2TestClient.returned(app.decide("allow"))["iss"] == "http://evil.example")
    app.server.policy.sendsIssuer = false
    #expect(try OAuth2TestClient.returned(app.decide("allow"))["iss"] == nil)
  }

  @Test("The policy can leave the state unencoded and redirect with 303, and the redirect URI keeps its query")
  func raw() throws {
    var app = OAuth2TestClient {
      $0.echoesStateRaw = true
      $0.redirectStatus = 303
    }
    let address = OAuth2TestClient.redirect + "?account=1"
    app.server.register(SandboxClient(identifier: "open", redirects: [address], scopes: ["read", "keep"]))
    let response = app.decide("allow", ["redirect_uri": address, "state": "a/b c&d"])
    #expect(response.status == .seeOther)
    let location = try #require(response.headers.first("Location"))
    #expect(location.hasPrefix(address + "&code=") && location.hasSuffix("&state=a/b c&d"))
    #expect(app.decide("allow", ["redirect_uri": address, "state": "a\r\nb"]).status == .badRequest)
  }

  @Test("A client without a redirect URI receives the code on a page")
  func outOfBand() throws {
    var app = OAuth2TestClient()
    let changes = ["redirect_uri": SandboxClient.outOfBand]
    let text = app.decide("allow", changes).text
    let code = try #require(text.split(separator: "id=\"code\">").last?.prefix { $0 != "<" })
    #expect(try app.exchange(String(code), changes).scope == "read keep")
    #expect(app.decide("deny", changes).text.contains("Cancelled"))
  }

  @Test("The sandbox's metadata lists the endpoints and takes the issuer from the request's host")
  func metadata() throws {
    var app = OAuth2TestClient()
    let plain = try ReceivedV2Page(app.server.metadata(base: "http://127.0.0.1:4000").body)
    #expect(
      plain.texts == [
        "issuer": "http://127.0.0.1:4000", "authorization_endpoint": "http://127.0.0.1:4000/oauth/authorize",
        "token_endpoint": "http://127.0.0.1:4000/oauth/token",
        "revocation_endpoint": "http://127.0.0.1:4000/oauth/revoke",
      ])
    #expect(plain.members.contains("code_challenge_methods_supported"))
    #expect(!plain.members.contains("authorization_response_iss_parameter_supported"))
    app.server.policy.proofKey = .ignored
    app.server.policy.sendsIssuer = true
    app.server.policy.issuerPath = "/"
    let other = try ReceivedV2Page(app.server.metadata(base: "http://127.0.0.1:4000").body)
    #expect(other.texts["issuer"] == "http://127.0.0.1:4000/")
    #expect(!other.members.contains("code_challenge_methods_supported"))
    #expect(other.members.contains("authorization_response_iss_parameter_supported"))
  }
}
