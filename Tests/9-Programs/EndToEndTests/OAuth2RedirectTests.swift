import Platform
import TestSupport
import Testing

/// Ways to return from an OAuth 2.0 server: over IPv4 or IPv6, to either name of this machine, and by pasting.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct OAuth2RedirectTests {
  /// The address families that a browser may use.
  static let returns: [(host: String, overIPv6: Bool)] = [
    ("127.0.0.1", false), ("localhost", false), ("localhost", true),
  ]

  @Test("The callback uses the configured host, over IPv4 and IPv6", arguments: returns)
  func host(host: String, overIPv6: Bool) async throws {
    if overIPv6, !TestInstallation.hasIPv6 { try skipTest("this machine has no ::1") }
    let server = try await OAuth2PeerServer(["--redirect", "exact"])
    let fixture = try OAuth2PeerFixture(server, callback: #""port": 0, "host": "\#(host)""#)
    let login = try await fixture.beginLogin()
    let redirect = try login.parameter("redirect_uri")
    #expect(try LocalURL(redirect).authority.hasPrefix("\(host):"))
    // The test registers the exact address, as a user would.
    try await server.control(#"{"redirect_uri": "\#(redirect)"}"#)
    let location = try await login.redirect(pressing: "allow")
    let page = try await OwnThread.run {
      let callback = try LocalURL(location)
      let response = try ScriptedBrowser().send("GET", callback, overIPv6: overIPv6)
      let resultPage = try LocalURL(callback, target: #require(response.field("Location")))
      return try ScriptedBrowser().send("GET", resultPage, overIPv6: overIPv6).text
    }
    #expect(page.contains("<h1>Authorised</h1>"))
    #expect(await login.program.end().code == 0)
  }

  @Test("A callback over [::1] is accepted even if the redirect address contains 127.0.0.1")
  func otherStack() async throws {
    if !TestInstallation.hasIPv6 { try skipTest("this machine has no ::1") }
    let login = try await OAuth2PeerFixture(OAuth2PeerServer()).beginLogin()
    let location = try await login.redirect(pressing: "allow")
    let response = try await OwnThread.run {
      let callback = try LocalURL(location)
      return try ScriptedBrowser().send("GET", callback, host: "[::1]:\(callback.port)", overIPv6: true)
    }
    #expect(response.status == 303)
    #expect(await login.program.end().code == 0)
  }

  // MARK: Pasting

  @Test("The user can paste either the redirect address or only the code", arguments: [true, false])
  func pasted(whole: Bool) async throws {
    let server = try await OAuth2PeerServer()
    let fixture = try OAuth2PeerFixture(server)
    let login = try await fixture.beginLogin(input: .open)
    let location = try await login.redirect(pressing: "allow")
    let code = try #require(try LocalURL(location).query["code"])
    login.program.type("\(whole ? location : code)\n")
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(File.exists(fixture.tokenFile))
    #expect(try await server.count("codes_asked") == 1)
  }

  @Test("If the pasted address belongs to another server or login, the login reports this and keeps waiting")
  func pastedStray() async throws {
    let server = try await OAuth2PeerServer(["--iss", "wrong"])
    let login = try await OAuth2PeerFixture(server).beginLogin(input: .open)
    login.program.type("\(try await login.redirect(pressing: "allow"))\n")
    #expect(await login.program.line(containing: "https://attacker.example", on: .error)?.contains("waiting") == true)
    let state = try login.parameter("state")
    login.program.type("http://127.0.0.1/callback?code=1&state=\(state.reversed().map(String.init).joined())\n")
    #expect(await login.program.line(containing: "another login", on: .error) != nil)
    try await server.control(#"{"iss": "right"}"#)
    login.program.type("\(try await login.redirect(pressing: "allow"))\n")
    #expect(await login.program.end().code == 0)
    #expect(try await server.count("codes_asked") == 1)
  }
}
