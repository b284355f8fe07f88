import CivilTime
import HTTP
import HomelineOAuth
import JSON
import Sandbox
import Testing

@Suite("The sandbox's three legs")
struct SandboxLegsTests {
  @Test(
    "the whole way leads to a token that answers for Mira",
    arguments: [SignatureMethod.hmacSHA1, .hmacSHA256, .hmacSHA512])
  func wholeWay(method: SignatureMethod) throws {
    var walk = SandboxWalk()
    walk.method = method
    let first = try walk.askForRequestToken()
    #expect(first.headers.first(.contentType) == "text/html;charset=utf-8")
    let temporary = try walk.requestToken()
    let answer = try walk.exchange(temporary, try walk.verifier(temporary))
    #expect(answer.headers.first(.contentType) == "text/html;charset=utf-8")
    let token = try TokenResponse(Answer(status: answer.status.code, body: answer.body))
    #expect(token.userID == SandboxProvider.userID)
    #expect(token.screenName == "mira_demo")
    #expect(token.credentials.identifier.hasPrefix("14000001-"))

    let user = try walk.get(.verifyCredentials, by: token.credentials)
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

  @Test("GET asks for a request token too, and the parameters may stand in the query")
  func byGet() throws {
    var walk = SandboxWalk()
    let url = try walk.url(.requestToken)
    let authorization = try Signer(client: SandboxProvider.consumer, token: .empty)
      .sign(
        SignableRequest(method: "GET", url: url), stamp: walk.stamp(), additional: [Parameter("oauth_callback", "oob")])
    let query = FormEncoding.encode(authorization.header.parameters)
    let response = walk.send(SandboxWalk.request("GET", try walk.url(.requestToken, "?\(query)"), nil))
    #expect(response.text.hasSuffix("&oauth_callback_confirmed=true"))
  }

  @Test("two tokens are never the same, and no token needs an escape")
  func distinct() throws {
    var walk = SandboxWalk()
    let all =
      try [walk.requestToken().identifier, walk.requestToken().identifier] + [
        walk.login().identifier, walk.login().identifier,
      ]
    #expect(Set(all).count == 4)
    for token in all { #expect(PercentEncoding.encode(token) == token) }
  }

  @Test(
    "a callback is plain http on loopback or oob; anything else is code 415",
    arguments: [
      ("http://127.0.0.1:8765/callback", true), ("http://localhost:1/", true), ("http://[::1]:9/a?b=c", true),
      ("https://127.0.0.1:8765/callback", false), ("http://example.org/callback", false),
      ("http://127.0.0.1.example.org/", false), ("OOB", false), ("", false), ("app:///", false),
      ("http://127.0.0.1/" + String(repeating: "a", count: 2_000), false),
    ])
  func callbacks(address: String, isTaken: Bool) throws {
    var walk = SandboxWalk()
    let url = try walk.url(.requestToken)
    let authorization = try Signer(client: SandboxProvider.consumer, token: .none)
      .sign(
        SignableRequest(method: "POST", url: url), stamp: walk.stamp(),
        additional: [Parameter("oauth_callback", address)])
    let response = walk.send(SandboxWalk.request("POST", url, authorization.headerValue))
    #expect(response.status == (isTaken ? .ok : .forbidden))
    #expect(response.code == (isTaken ? nil : 415))
  }

  @Test("without oauth_callback there is no request token")
  func callbackMissing() throws {
    var walk = SandboxWalk()
    let url = try walk.url(.requestToken)
    let authorization = try Signer(client: SandboxProvider.consumer, token: .none)
      .sign(SignableRequest(method: "POST", url: url), stamp: walk.stamp())
    #expect(walk.send(SandboxWalk.request("POST", url, authorization.headerValue)).code == 215)
  }

  @Test("the callback's own query stays in front of what is added")
  func ownQuery() throws {
    for (callback, prefix) in [
      ("http://127.0.0.1:1/c?account=a%20b&x", "http://127.0.0.1:1/c?account=a%20b&x&"),
      ("http://127.0.0.1:1/c?", "http://127.0.0.1:1/c?"), ("http://127.0.0.1:1", "http://127.0.0.1:1/?"),
    ] {
      var walk = SandboxWalk()
      let temporary = try walk.requestToken(callback)
      let allowed = try walk.say("allow", to: temporary)
      #expect(allowed.status == .found)
      #expect(
        allowed.headers.first("Location")?.hasPrefix(prefix + "oauth_token=\(temporary.identifier)&oauth_verifier=")
          == true)
      let denied = try walk.say("deny", to: temporary)
      #expect(denied.headers.first("Location") == prefix + "denied=\(temporary.identifier)")
    }
  }

  @Test("after a denial the request token is worth nothing")
  func denial() throws {
    var walk = SandboxWalk()
    let temporary = try walk.requestToken()
    let verifier = try walk.verifier(temporary)
    #expect(try walk.say("deny", to: temporary).status == .found)
    #expect(try walk.page(temporary).status == .forbidden)
    #expect(try walk.say("allow", to: temporary).status == .forbidden)
    #expect(try walk.exchange(temporary, verifier).code == 89)
  }

  @Test("a request token works once, and not without its verifier")
  func once() throws {
    var walk = SandboxWalk()
    let temporary = try walk.requestToken()
    let other = try walk.verifier(try walk.requestToken())
    let verifier = try walk.verifier(temporary)
    for wrong in [other, Secret(""), Secret("1234567")] {
      let refused = try walk.exchange(temporary, wrong)
      #expect(refused.status == .unauthorized)
      #expect(refused.text == "Error processing your OAuth request: Invalid oauth_verifier parameter")
    }
    #expect(try walk.exchange(temporary, verifier).status == .ok)
    let second = try walk.exchange(temporary, verifier)
    #expect(second.status == .unauthorized)
    #expect(second.code == 89)
    #expect(try walk.page(temporary).status == .forbidden)
  }

  @Test("a request token lives ten minutes")
  func expiry() throws {
    var walk = SandboxWalk()
    let temporary = try walk.requestToken()
    let verifier = try walk.verifier(temporary)
    walk.now = walk.now + .seconds(599)
    #expect(try walk.page(temporary).status == .ok)
    walk.now = walk.now + .seconds(1)
    #expect(try walk.page(temporary).status == .forbidden)
    #expect(try walk.exchange(temporary, verifier).code == 89)
  }

  @Test("out of band the user gets seven digits, which are the verifier")
  func pin() throws {
    var walk = SandboxWalk()
    let temporary = try walk.requestToken("oob")
    let page = try walk.say("allow", to: temporary)
    #expect(page.status == .ok)
    let pin = try #require(page.text.firstMatch(of: /<code id="pin">([0-9]{7})<\/code>/)?.1)
    #expect(try walk.exchange(temporary, Secret(String(pin))).status == .ok)

    let refused = try walk.requestToken("oob")
    #expect(try walk.say("deny", to: refused).text.contains("<h1>Cancelled</h1>"))
  }

  @Test("the page names the application and the user, loads nothing, and lets its form lead to the callback")
  func page() throws {
    var walk = SandboxWalk()
    let temporary = try walk.requestToken("http://127.0.0.1:8765/c?x=%3Cscript%3E")
    let page = try walk.page(temporary)
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
    // IPv6 addresses cannot be named there.
    let six = try walk.page(try walk.requestToken("http://[::1]:8765/c"))
    #expect(six.headers.first("Content-Security-Policy")?.hasSuffix("form-action 'self' http:") == true)
  }

  @Test("letters that mean something in HTML are escaped on the page")
  func escapes() throws {
    var walk = SandboxWalk()
    let page = try walk.page(try walk.requestToken("http://127.0.0.1:1/'\"<b>&amp;"))
    #expect(page.text.contains("<code>http://127.0.0.1:1/&#39;&quot;&lt;b&gt;&amp;amp;</code>"))
  }

  @Test("the word of another page's form, or without a known token or action, does not count")
  func foreignForm() throws {
    var walk = SandboxWalk()
    let temporary = try walk.requestToken()
    for page in ["http://example.org", "null", "http://127.0.0.1:4001"] {
      #expect(try walk.say("allow", to: temporary, from: page).status == .forbidden)
    }
    #expect(try walk.say("maybe", to: temporary).status == .forbidden)
    let unknown = TemporaryCredentials(identifier: temporary.identifier + "x", secret: temporary.secret)
    #expect(try walk.say("allow", to: unknown).status == .forbidden)
    #expect(try walk.page(unknown).status == .forbidden)
    #expect(try walk.say("allow", to: temporary).status == .found)
  }
}
