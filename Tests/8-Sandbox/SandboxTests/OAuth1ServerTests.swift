import Bytes
import HTTP
import HomelineOAuth
import JSON
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("OAuth 1.0a in the sandbox")
struct SandboxOAuth1Tests {
  @Test(
    "An OAuth 1.0a login ends with an access token for the user",
    arguments: [SignatureMethod.hmacSHA1, .hmacSHA256, .hmacSHA512])
  func wholeWay(method: SignatureMethod) throws {
    var testClient = TwitterTestClient()
    testClient.method = method
    let first = try testClient.requestTokenResponse()
    #expect(first.headers.first(.contentType) == "text/html;charset=utf-8")
    let temporary = try testClient.requestToken()
    let response = try testClient.exchange(temporary, try testClient.verifier(temporary))
    #expect(response.headers.first(.contentType) == "text/html;charset=utf-8")
    let token = try TokenResponse(OAuthResponse(status: response.status.code, body: response.body))
    #expect(token.userID == SandboxUser.id)
    #expect(token.screenName == "mira_demo")
    #expect(token.credentials.identifier.hasPrefix("14000001-"))

    let user = try testClient.get(.verifyCredentials, by: token.credentials)
    var cursor = JSONCursor(user.body)
    var found: [String: String] = [:]
    try cursor.members { cursor, name in
      if ["id_str", "name", "screen_name"].contains(name.text) {
        found[name.text] = try cursor.string()
      } else {
        try cursor.skip()
      }
    }
    #expect(found == ["id_str": "14000001", "name": "Mira Demo", "screen_name": "mira_demo"])
  }

  @Test("A request token can also be requested with GET and parameters in the query")
  func byGet() throws {
    var testClient = TwitterTestClient()
    let url = try testClient.url(.requestToken)
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .empty)
      .sign(
        SignableRequest(method: "GET", url: url), nonceTimestamp: testClient.nonceTimestamp(),
        additional: [Parameter("oauth_callback", "oob")])
    let query = FormEncoding.encode(authorization.header.parameters)
    let response = testClient.send(
      TwitterTestClient.request("GET", try testClient.url(.requestToken, "?\(query)"), nil))
    #expect(response.text.hasSuffix("&oauth_callback_confirmed=true"))
  }

  @Test("OAuth 1.0a tokens are unique and need no percent-encoding")
  func distinct() throws {
    var testClient = TwitterTestClient()
    let all =
      try [testClient.requestToken().identifier, testClient.requestToken().identifier] + [
        testClient.login().identifier, testClient.login().identifier,
      ]
    #expect(Set(all).count == 4)
    for token in all { #expect(PercentEncoding.encode(token) == token) }
  }

  @Test(
    "The callback must be oob or use plain HTTP on loopback; any other fails with error 415",
    arguments: [
      ("http://127.0.0.1:8765/callback", true), ("http://localhost:1/", true), ("http://[::1]:9/a?b=c", true),
      ("https://127.0.0.1:8765/callback", false), ("http://example.org/callback", false),
      ("http://127.0.0.1.example.org/", false), ("OOB", false), ("", false), ("app:///", false),
      ("http://127.0.0.1/" + String(repeating: "a", count: 2_000), false),
    ])
  func callbacks(address: String, isTaken: Bool) throws {
    var testClient = TwitterTestClient()
    let url = try testClient.url(.requestToken)
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .none)
      .sign(
        SignableRequest(method: "POST", url: url), nonceTimestamp: testClient.nonceTimestamp(),
        additional: [Parameter("oauth_callback", address)])
    let response = testClient.send(TwitterTestClient.request("POST", url, authorization.headerValue))
    #expect(response.status == (isTaken ? .ok : .forbidden))
    #expect(response.code == (isTaken ? nil : 415))
  }

  @Test("A request for a request token requires oauth_callback")
  func callbackMissing() throws {
    var testClient = TwitterTestClient()
    let url = try testClient.url(.requestToken)
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .none)
      .sign(SignableRequest(method: "POST", url: url), nonceTimestamp: testClient.nonceTimestamp())
    #expect(testClient.send(TwitterTestClient.request("POST", url, authorization.headerValue)).code == 215)
  }

  @Test("The callback's own query is kept and precedes the added parameters")
  func ownQuery() throws {
    for (callback, prefix) in [
      ("http://127.0.0.1:1/c?account=a%20b&x", "http://127.0.0.1:1/c?account=a%20b&x&"),
      ("http://127.0.0.1:1/c?", "http://127.0.0.1:1/c?"), ("http://127.0.0.1:1", "http://127.0.0.1:1/?"),
    ] {
      var testClient = TwitterTestClient()
      let temporary = try testClient.requestToken(callback)
      let allowed = try testClient.decide("allow", to: temporary)
      #expect(allowed.status == .found)
      #expect(
        allowed.headers.first("Location")?.hasPrefix(prefix + "oauth_token=\(temporary.identifier)&oauth_verifier=")
          == true)
      let denied = try testClient.decide("deny", to: temporary)
      #expect(denied.headers.first("Location") == prefix + "denied=\(temporary.identifier)")
    }
  }

  @Test("A denial by the user invalidates the request token")
  func denial() throws {
    var testClient = TwitterTestClient()
    let temporary = try testClient.requestToken()
    let verifier = try testClient.verifier(temporary)
    #expect(try testClient.decide("deny", to: temporary).status == .found)
    #expect(try testClient.page(temporary).status == .forbidden)
    #expect(try testClient.decide("allow", to: temporary).status == .forbidden)
    #expect(try testClient.exchange(temporary, verifier).code == 89)
  }

  @Test("A request token can be exchanged only once, and only with its own verifier")
  func once() throws {
    var testClient = TwitterTestClient()
    let temporary = try testClient.requestToken()
    let other = try testClient.verifier(try testClient.requestToken())
    let verifier = try testClient.verifier(temporary)
    for wrong in [other, Secret(""), Secret("1234567")] {
      let refused = try testClient.exchange(temporary, wrong)
      #expect(refused.status == .unauthorized)
      #expect(refused.text == "Error processing your OAuth request: Invalid oauth_verifier parameter")
    }
    #expect(try testClient.exchange(temporary, verifier).status == .ok)
    let second = try testClient.exchange(temporary, verifier)
    #expect(second.status == .unauthorized)
    #expect(second.code == 89)
    #expect(try testClient.page(temporary).status == .forbidden)
  }

  @Test("A request token expires after ten minutes")
  func expiry() throws {
    var testClient = TwitterTestClient()
    let temporary = try testClient.requestToken()
    let verifier = try testClient.verifier(temporary)
    testClient.now = testClient.now + .seconds(599)
    #expect(try testClient.page(temporary).status == .ok)
    testClient.now = testClient.now + .seconds(1)
    #expect(try testClient.page(temporary).status == .forbidden)
    #expect(try testClient.exchange(temporary, verifier).code == 89)
  }

  @Test("For an out-of-band callback, the page shows a seven-digit verifier")
  func pin() throws {
    var testClient = TwitterTestClient()
    let temporary = try testClient.requestToken("oob")
    let page = try testClient.decide("allow", to: temporary)
    #expect(page.status == .ok)
    let pin = try #require(page.text.firstMatch(of: /<code id="pin">([0-9]{7})<\/code>/)?.1)
    #expect(try testClient.exchange(temporary, Secret(String(pin))).status == .ok)

    let refused = try testClient.requestToken("oob")
    #expect(try testClient.decide("deny", to: refused).text.contains("<h1>Cancelled</h1>"))
  }

  @Test(
    "The authorisation page names the application and the user, loads no resources, and may redirect to the callback")
  func page() throws {
    var testClient = TwitterTestClient()
    let temporary = try testClient.requestToken("http://127.0.0.1:8765/c?x=%3Cscript%3E")
    let page = try testClient.page(temporary)
    #expect(page.status == .ok)
    for part in [
      "<b>homeline</b>", "Mira Demo", "name=\"action\" value=\"allow\"", "name=\"action\" value=\"deny\"",
      "value=\"\(temporary.identifier)\"", "<code>http://127.0.0.1:8765/c</code>",
    ] { #expect(page.text.contains(part)) }
    for part in ["<script", "src=", "@import", "url("] { #expect(!page.text.contains(part)) }
    let policy = try #require(page.headers.first("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; img-src data:;"))
    #expect(policy.hasSuffix("form-action 'self' http://127.0.0.1:8765"))
    #expect(page.headers.first("Cache-Control") == "no-store")
    // An IPv6 address cannot be used in `form-action`.
    let six = try testClient.page(try testClient.requestToken("http://[::1]:8765/c"))
    #expect(six.headers.first("Content-Security-Policy")?.hasSuffix("form-action 'self' http:") == true)
  }

  @Test("HTML in the values on the authorisation page is escaped")
  func escapes() throws {
    var testClient = TwitterTestClient()
    let page = try testClient.page(try testClient.requestToken("http://127.0.0.1:1/'\"<b>&amp;"))
    #expect(page.text.contains("<code>http://127.0.0.1:1/&#39;&quot;&lt;b&gt;&amp;amp;</code>"))
  }

  @Test("Authorisation forms from other pages and forms without a known token or action are refused")
  func foreignForm() throws {
    var testClient = TwitterTestClient()
    let temporary = try testClient.requestToken()
    for page in ["http://example.org", "null", "http://127.0.0.1:4001"] {
      #expect(try testClient.decide("allow", to: temporary, from: page).status == .forbidden)
    }
    #expect(try testClient.decide("maybe", to: temporary).status == .forbidden)
    let unknown = TemporaryCredentials(identifier: temporary.identifier + "x", secret: temporary.secret)
    #expect(try testClient.decide("allow", to: unknown).status == .forbidden)
    #expect(try testClient.page(unknown).status == .forbidden)
    #expect(try testClient.decide("allow", to: temporary).status == .found)
  }
}

@Suite("The simulated Twitter after a restart")
struct SandboxRestartTests {
  @Test("After a restart with the same key, a login can continue at any step")
  func goesOn() throws {
    var testClient = TwitterTestClient()
    let old = try testClient.login()
    let temporary = try testClient.requestToken()
    testClient.provider.provider = TwitterSandbox(key: TwitterTestClient.key)
    testClient.origin = "http://localhost:5000"
    let verifier = try testClient.verifier(temporary)
    testClient.provider.provider = TwitterSandbox(key: TwitterTestClient.key)
    #expect(try testClient.exchange(temporary, verifier).status == .ok)
    #expect(try testClient.page(by: old).count == 20)
  }

  @Test("After a restart with a different key, no token is valid")
  func otherKey() throws {
    var testClient = TwitterTestClient()
    let old = try testClient.login()
    let temporary = try testClient.requestToken()
    testClient.provider.provider = TwitterSandbox(key: .random())
    #expect(try testClient.get(.homeTimeline, by: old).code == 89)
    #expect(try testClient.page(temporary).status == .forbidden)
    #expect(SandboxKey(bytes: [1, 2, 3]) == nil)
  }

  @Test("An invalidated token stays revoked after a restart, and other tokens stay valid")
  func revoked() throws {
    var testClient = TwitterTestClient()
    let (token, other) = (try testClient.login(), try testClient.login())
    #expect(testClient.provider.revokedTokens.isEmpty)
    #expect(try testClient.get(.invalidateToken, by: token).text == "{\"access_token\":\"\(token.identifier)\"}")
    #expect(try testClient.get(.homeTimeline, by: token).code == 89)
    #expect(testClient.provider.revokedTokens == [token.identifier])
    testClient.provider.provider = TwitterSandbox(
      key: TwitterTestClient.key, revokedTokens: testClient.provider.revokedTokens)
    #expect(try testClient.get(.homeTimeline, by: token).code == 89)
    #expect(try testClient.get(.homeTimeline, by: other).status == .ok)
  }
}
