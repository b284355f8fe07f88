import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's authorisation endpoint of OAuth 2.0")
struct OAuth2AuthorizationTests {
  @Test("the page has both buttons and sends the request's parameters again, to where it was asked for")
  func page() {
    let walk = OAuth2Walk()
    let response = walk.page(["state": "a\"<b"])
    #expect(response.status == .ok)
    for part in [
      "id=\"allow\"", "id=\"deny\"", "<form method=\"post\" action=\"/oauth/authorize\">",
      "name=\"code_challenge\" value=\"\(OAuth2Walk.challenge)\"", "name=\"state\" value=\"a&quot;&lt;b\"",
      "name=\"redirect_uri\" value=\"\(OAuth2Walk.redirect)\"", "<code>read</code>, <code>keep</code>",
    ] { #expect(response.text.contains(part), "\(part)") }
    #expect(
      response.headers.first("Content-Security-Policy")?.hasSuffix("form-action 'self' http://127.0.0.1:8765") == true)
  }

  @Test("code and state come back, and the state unharmed")
  func allow() throws {
    var walk = OAuth2Walk()
    let response = walk.say("allow", ["state": "a b&c=d%"])
    #expect(response.status == .found)
    let back = try OAuth2Walk.returned(response)
    #expect(Set(back.keys) == ["code", "state"] && back["state"] == "a b&c=d%")
    #expect(try walk.code() != back["code"])
  }

  @Test("a denial comes back with the state, or without it where the policy says so")
  func deny() throws {
    var walk = OAuth2Walk()
    var back = try OAuth2Walk.returned(walk.say("deny"))
    #expect(back["error"] == "access_denied" && back["state"] == "st-1" && back["error_description"] != nil)
    #expect(back["code"] == nil)
    walk.server.policy.refusesWithoutState = true
    back = try OAuth2Walk.returned(walk.say("deny"))
    #expect(back["error"] == "access_denied" && back["state"] == nil)
    #expect(try OAuth2Walk.returned(walk.say("allow"))["state"] == "st-1")
  }

  @Test(
    "an unknown client or redirect URI leads to a page and sends nobody anywhere",
    arguments: [
      ["client_id": "nobody"], ["client_id": nil], ["redirect_uri": nil],
      ["redirect_uri": "http://127.0.0.1:8766/callback"], ["redirect_uri": "http://127.0.0.1:8765/callback/"],
      ["redirect_uri": "http://localhost:8765/callback"], ["redirect_uri": "http://127.0.0.1:8765/callback?a=b"],
    ] as [OAuth2Walk.Changes])
  func unknown(changes: OAuth2Walk.Changes) {
    var walk = OAuth2Walk()
    for response in [walk.page(changes), walk.say("allow", changes), walk.say("deny", changes)] {
      #expect(response.status == .badRequest)
      #expect(response.headers.first("Location") == nil)
    }
  }

  @Test("any port of a loopback address in digits will do where the policy says so, and nothing else may differ")
  func anyPort() {
    var walk = OAuth2Walk { $0.redirectMatch = .anyLoopbackPort }
    walk.server.register(
      RegisteredClient(
        identifier: "open", redirects: [OAuth2Walk.redirect, "http://localhost:1/c", "https://example.org:1/c"],
        scopes: ["read", "keep"]))
    #expect(walk.page(["redirect_uri": "http://127.0.0.1:9/callback"]).status == .ok)
    for other in [
      "http://127.0.0.1:9/callback/", "http://127.0.0.1:9/callback?x", "http://127.0.0.2:8765/callback",
      "http://localhost:2/c", "https://example.org:2/c", "https://127.0.0.1:8765/callback",
    ] { #expect(walk.page(["redirect_uri": other]).status == .badRequest, "\(other)") }
  }

  @Test(
    "all other mistakes are told to the client",
    arguments: [
      (["response_type": "token"], "unsupported_response_type"), (["response_type": nil], "invalid_request"),
      (["scope": "read fly"], "invalid_scope"), (["scope": nil], "invalid_scope"),
      (["code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
      (["code_challenge": nil], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
      (["code_challenge_method": "S512"], "invalid_request"), (["code_challenge_method": "plain"], "invalid_request"),
      (["code_challenge_method": nil], "invalid_request"),
      (["state": String(repeating: "s", count: 501)], "invalid_request"),
    ] as [(OAuth2Walk.Changes, String)])
  func told(changes: OAuth2Walk.Changes, error: String) throws {
    var walk = OAuth2Walk()
    for response in [walk.page(changes), walk.say("allow", changes)] {
      let back = try OAuth2Walk.returned(response)
      #expect(back["error"] == error && back["code"] == nil)
      if changes["state"] == nil { #expect(back["state"] == "st-1") }
    }
  }

  @Test("a parameter that is there twice is a mistake")
  func twice() throws {
    let walk = OAuth2Walk()
    #expect(walk.page(more: "&client_id=open").status == .badRequest)
    #expect(try OAuth2Walk.returned(walk.page(more: "&scope=read"))["error"] == "invalid_request")
  }

  @Test("a word that another page sends does not count, nor does one that is neither yes nor no")
  func foreign() {
    var walk = OAuth2Walk()
    #expect(walk.say("allow", origin: "http://example.org").status == .badRequest)
    #expect(walk.say("allow", origin: "http://127.0.0.1:4000").status == .found)
    #expect(walk.say("perhaps").status == .badRequest)
  }

  @Test("iss stands in every answer where the policy says so, and may be wrong on purpose")
  func issuer() throws {
    var walk = OAuth2Walk {
      $0.sendsIssuer = true
      $0.issuerPath = "/"
    }
    for action in ["allow", "deny"] {
      #expect(try OAuth2Walk.returned(walk.say(action))["iss"] == "http://127.0.0.1:4000/")
    }
    walk.server.policy.wrongIssuer = "http://evil.example"
    #expect(try OAuth2Walk.returned(walk.say("allow"))["iss"] == "http://evil.example")
    walk.server.policy.sendsIssuer = false
    #expect(try OAuth2Walk.returned(walk.say("allow"))["iss"] == nil)
  }

  @Test("the state comes back raw, with 303, and behind the redirect URI's own query where the policy says so")
  func raw() throws {
    var walk = OAuth2Walk {
      $0.echoesStateRaw = true
      $0.redirectStatus = 303
    }
    let address = OAuth2Walk.redirect + "?account=1"
    walk.server.register(RegisteredClient(identifier: "open", redirects: [address], scopes: ["read", "keep"]))
    let response = walk.say("allow", ["redirect_uri": address, "state": "a/b c&d"])
    #expect(response.status == .seeOther)
    let location = try #require(response.headers.first("Location"))
    #expect(location.hasPrefix(address + "&code=") && location.hasSuffix("&state=a/b c&d"))
    #expect(walk.say("allow", ["redirect_uri": address, "state": "a\r\nb"]).status == .badRequest)
  }

  @Test("who has no way back sees the code on a page")
  func outOfBand() throws {
    var walk = OAuth2Walk()
    let changes = ["redirect_uri": RegisteredClient.outOfBand]
    let text = walk.say("allow", changes).text
    let code = try #require(text.split(separator: "id=\"code\">").last?.prefix { $0 != "<" })
    #expect(try walk.exchange(String(code), changes).scope == "read keep")
    #expect(walk.say("deny", changes).text.contains("Cancelled"))
  }

  @Test("metadata name what there is, and the issuer as it is asked for")
  func metadata() throws {
    var walk = OAuth2Walk()
    let plain = try V2OnTheWire(walk.server.metadata(base: "http://127.0.0.1:4000").body)
    #expect(
      plain.texts == [
        "issuer": "http://127.0.0.1:4000", "authorization_endpoint": "http://127.0.0.1:4000/oauth/authorize",
        "token_endpoint": "http://127.0.0.1:4000/oauth/token",
        "revocation_endpoint": "http://127.0.0.1:4000/oauth/revoke",
      ])
    #expect(plain.members.contains("code_challenge_methods_supported"))
    #expect(!plain.members.contains("authorization_response_iss_parameter_supported"))
    walk.server.policy.proofKey = .ignored
    walk.server.policy.sendsIssuer = true
    walk.server.policy.issuerPath = "/"
    let other = try V2OnTheWire(walk.server.metadata(base: "http://127.0.0.1:4000").body)
    #expect(other.texts["issuer"] == "http://127.0.0.1:4000/")
    #expect(!other.members.contains("code_challenge_methods_supported"))
    #expect(other.members.contains("authorization_response_iss_parameter_supported"))
  }
}
