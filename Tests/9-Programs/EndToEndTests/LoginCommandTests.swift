import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// `homeline login` with its real listener, and with the test as the browser.
@Suite struct LoginCommandTests {
  private let screenName = SandboxUser.screenName

  // MARK: Success

  @Test("A login prints its address on its own line, and then the user, the token's path and the number of posts")
  func success() async throws {
    let home = try TestInstallation(account: "")
    let login = try await PendingLogin(home)
    #expect(login.program.written(on: .output) == "\(login.address)\n")

    let callback = try login.grant()
    let response = try login.browser.get(callback)
    #expect(response.status == 303)
    #expect(response.body.isEmpty)
    let resultPage = try LocalURL(callback, target: #require(response.field("Location")))
    let random = resultPage.target.dropFirst("/callback/done/".count)
    #expect(resultPage.target.hasPrefix("/callback/done/"))
    #expect(random.utf8.count >= 22)
    #expect(!resultPage.target.contains(try #require(callback.query["oauth_verifier"])))

    let page = try login.browser.get(resultPage)
    #expect(page.status == 200)
    #expect(page.text.contains("<h1>Authorised as @\(screenName)</h1>"))
    #expect(page.text.contains("The token is stored"))
    for response in [response, page] {
      #expect(
        response.field("Content-Security-Policy")?
          .hasPrefix("default-src 'none'; style-src 'unsafe-inline'; img-src data:") == true)
      #expect(response.field("Cache-Control") == "no-store")
      #expect(response.field("Referrer-Policy") == "no-referrer")
    }
    #expect(page.text.contains(#"<link rel="icon" href="data:,">"#))
    #expect(!page.text.contains("http:") && !page.text.contains("https:") && !page.text.contains("<script"))

    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n").map { String($0) }
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("Authorised as @\(screenName)"))
    #expect(lines[2] == "The token is stored in \(home.token).")
    // The login fetches every post that the provider returns: 800, or fewer if new posts arrived between two pages.
    let count = try #require(Int(lines[3].dropFirst("demo: ".count).prefix { $0.isNumber }))
    #expect((790...800).contains(count))
    #expect(lines[3] == "demo: \(count) new posts, in \(home.timeline)")

    #expect(try FileStatus.of(home.token).permissions == 0o600)
    #expect(try FileStatus.of(home.stateFolder).permissions == 0o700)
    #expect(try FileStatus.of(home.timeline).permissions == 0o600)
    #expect(try FileStatus.of(home.database).permissions == 0o600)
    #expect(try home.names(in: home.stateFolder) == ["token.json"])
    #expect(try await home.jq(".user.screen_name, (.posts | length), .error") == "\(screenName)\n200\nnull")
  }

  @Test("The callback listener accepts callbacks on both 127.0.0.1 and ::1", arguments: [false, true])
  func bothStacks(overIPv6: Bool) async throws {
    guard !overIPv6 || TestInstallation.hasIPv6 else { try skipTest("this machine has no ::1") }
    let home = try TestInstallation(callback: #""port": 0, "host": "localhost""#)
    let login = try await PendingLogin(home)
    let callback = try login.grant()
    #expect(callback.authority == "localhost:\(callback.port)")
    let response = try login.browser.send("GET", callback, overIPv6: overIPv6)
    let resultPage = try LocalURL(callback, target: #require(response.field("Location")))
    #expect(try login.browser.send("GET", resultPage, overIPv6: overIPv6).text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  // MARK: Stray requests

  @Test("Requests other than the callback get an error and do not affect the login")
  func strays() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try login.grant()
    let browser = login.browser
    func at(_ target: String) -> LocalURL { LocalURL(callback, target: target) }
    let verifier = try #require(callback.query["oauth_verifier"])

    // Connections without a request, or with half a request, may not delay any response.
    let silent = try (0..<50).map { _ in try TestClient(port: callback.port) }
    let halfway = try TestClient(port: callback.port)
    try halfway.send("GET \(callback.target) HTTP/1.1\r\nHost: ")

    #expect(try browser.get(at("/favicon.ico"), fields: ["Referer: \(callback)"]).status == 404)
    #expect(try browser.get(at("/")).status == 404)
    #expect(try browser.get(at("/callback/")).status == 404)
    #expect(try browser.get(at("/callback/done/elsewhere")).status == 404)
    #expect(try browser.get(at("/callback")).status == 400)
    #expect(try browser.get(at("/callback?oauth_token=\(login.token)")).status == 400)
    #expect(try browser.get(at("/callback?oauth_verifier=\(verifier)")).status == 400)
    #expect(try browser.get(at("/callback?oauth_token=unknown&oauth_verifier=\(verifier)")).status == 404)
    #expect(try browser.get(at("/callback?denied=unknown")).status == 404)
    #expect(try browser.get(at("\(callback.target)&oauth_token=\(login.token)")).status == 400)
    #expect(try browser.get(at("\(callback.target)&oauth_verifier=other")).status == 400)

    let post = try browser.send("POST", callback, body: "x=y")
    #expect(post.status == 405)
    #expect(post.field("Allow") == "GET, HEAD")
    let head = try browser.send("HEAD", callback)
    #expect(head.status == 303)
    #expect(head.field("Location")?.hasPrefix("/callback/done/") == true)
    for host in ["evil.example", "evil.example:\(callback.port)", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example"]
    {
      #expect(try browser.send("GET", callback, host: host).status == 421, "\(host)")
    }
    for heads in [[], ["Host: \(callback.authority)", "Host: \(callback.authority)"]] {
      let connection = try TestClient(port: callback.port)
      try connection.send((["GET \(callback.target) HTTP/1.1"] + heads + ["", ""]).joined(separator: "\r\n"))
      #expect(try connection.readResponse().status == 400)
    }

    #expect(login.program.isRunning)
    #expect(!File.exists(home.token))
    #expect(try browser.follow(callback).text.contains("Authorised as"))
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    #expect(!outcome.error.contains(verifier))
    for connection in silent + [halfway] { connection.close() }
  }

  @Test("A connection that a browser opened in advance can carry the callback")
  func preconnect() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try login.grant()
    let early = try TestClient(port: callback.port)
    let other = try TestClient(port: callback.port)
    #expect(try login.browser.get(LocalURL(callback, target: "/favicon.ico")).status == 404)
    try early.send(login.browser.text(of: "GET", callback))
    let response = try early.readResponse()
    #expect(response.status == 303)
    // Like a browser's, the connection stays open for the result page.
    try early.send(login.browser.text(of: "GET", LocalURL(callback, target: #require(response.field("Location")))))
    #expect(try early.readResponse().text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
    other.close()
  }

  @Test(
    "If the browser repeats the callback, the verifier is exchanged only once, and both tabs show the outcome")
  func twice() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try login.grant()
    let first = try login.browser.get(callback)
    let second = try login.browser.get(callback)
    #expect(first.status == 303 && second.status == 303)
    #expect(first.field("Location") == second.field("Location"))
    let resultPage = try LocalURL(callback, target: #require(first.field("Location")))
    // The provider would refuse a second exchange, and the login would fail.
    #expect(try login.browser.get(resultPage).text.contains("Authorised as"))
    #expect(try login.browser.get(resultPage).text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  @Test("A request for the result page waits for the outcome of the login")
  func earlyPage() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try login.grant()
    let resultPage = try LocalURL(callback, target: #require(login.browser.send("HEAD", callback).field("Location")))
    let early = try TestClient(port: callback.port)
    try early.send(login.browser.text(of: "GET", resultPage))
    #expect(try login.browser.follow(callback).text.contains("Authorised as"))
    #expect(try early.readResponse().text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  @Test("A login ends soon after the callback, even if the browser never requests the result page")
  func unseenPage() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    #expect(try login.browser.get(login.grant()).status == 303)
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("Authorised as"))
  }

  // MARK: Refusals

  @Test("Clicking Cancel on the provider's page ends the login with 77, and the page states that the user refused")
  func refusal() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try login.refuse()
    #expect(callback.query["denied"] == login.token)
    let page = try login.browser.follow(callback)
    #expect(page.text.contains("<h1>You refused</h1>"))
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("demo: you refused"))
    #expect(try home.names(in: home.stateFolder).isEmpty)
    #expect(!File.exists(home.timeline))
  }

  @Test(
    "An unattributed denial ends the only pending login if the browser navigated to it, but not as a subresource request",
    arguments: [
      ("oauth_problem=user_refused", "user_refused"), ("error=access_denied", "access_denied"),
    ])
  func unnamedRefusal(query: String, word: String) async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try LocalURL(login.grant(), target: "/callback?\(query)")
    for destination in ["image", "script", "empty", "iframe"] {
      let response = try login.browser.get(callback, fields: ["Sec-Fetch-Dest: \(destination)"])
      #expect(response.status == 400)
    }
    #expect(login.program.isRunning)
    let page = try login.browser.follow(callback).text
    #expect(page.contains("<h1>The browser came back with a refusal</h1>") && !page.contains("You refused"))
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    // Any page can redirect a browser to this address, so the message does not claim that the user refused.
    #expect(outcome.error.contains("demo: the browser came back with a refusal (it says: \(word))"), "\(outcome.error)")
    #expect(!outcome.error.contains("you refused"))
  }

  @Test(
    "An empty denial parameter does not end a login", arguments: ["denied=", "denied", "error=", "oauth_problem="])
  func emptyRefusal(query: String) async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let callback = try login.grant()
    let response = try login.browser.get(LocalURL(callback, target: "/callback?\(query)"))
    #expect(response.status == 400)
    #expect(response.text.contains("The login is still waiting."))
    #expect(try login.browser.follow(callback).text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
  }

  @Test("A denial with the login's token ends the login, in every provider's format")
  func namedRefusal() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let target = "/callback?oauth_problem=permission_denied&oauth_token=\(login.token)"
    let page = try login.browser.follow(
      LocalURL(login.grant(), target: target), fields: ["Sec-Fetch-Site: cross-site"])
    #expect(page.text.contains("You refused"))
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("the provider says: permission_denied"))
  }

  @Test("A login that times out exits with 77")
  func timeout() async throws {
    let home = try TestInstallation()
    let outcome = try await home.run("login", "--timeout", "1")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("nobody authorised homeline within 1 s"))
    #expect(try home.names(in: home.stateFolder).isEmpty)
  }
}
