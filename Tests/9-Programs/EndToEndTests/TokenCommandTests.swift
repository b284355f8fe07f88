import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// `homeline token`, which prints an access token for scripts.
@Suite(.timeLimit(.minutes(2))) struct TokenCommandTests {
  @Test("`homeline token` prints a valid access token and nothing else, without sending a request")
  func atHand() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    let before = fixture.tokenRequests
    let outcome = try await fixture.home.run("token")
    #expect(outcome.output == "\(try fixture.accessToken())\n")
    #expect(outcome.error == "" && outcome.code == 0)
    fixture.server.stop()
    #expect(try await fixture.home.run("token", "bird").output == outcome.output)
    // If the expiry time is unknown, homeline can determine whether the token is valid only by using it.
    try fixture.changeTimes(renewAt: nil, expiresAt: nil)
    #expect(try await fixture.home.run("token", "bird").output == outcome.output)
    #expect(fixture.tokenRequests == before)
  }

  @Test(
    "`homeline token` renews a token about to expire, with or without a service", arguments: [false, true])
  func renewed(byService: Bool) async throws {
    let fixture = try XFixture(#""keep_posts": 20, "enabled": false"#)
    try await fixture.logIn()
    let daemon = byService ? try await RunningDaemon(fixture.home, ["-v"]) : nil
    let former = try fixture.accessToken()
    try fixture.changeTimes(renewAt: .seconds(-1), expiresAt: .seconds(100))
    let before = fixture.tokenRequests
    let outcome = try await fixture.home.run("token", "bird", "-v")
    let current = try fixture.accessToken()
    #expect(outcome.output == "\(current)\n" && outcome.code == 0, "\(outcome.error)")
    #expect(current != former && fixture.tokenRequests == before + 1)
    #expect(!outcome.error.contains(current) && !outcome.error.contains(former))
    #expect(try await fixture.home.run("token", "bird").output == outcome.output)
    #expect(fixture.tokenRequests == before + 1)
    let status = try await fixture.home.run("status", "--json")
    #expect(!status.output.contains(current) && status.output.contains("bird"))
    if let daemon {
      let (ended, _) = await daemon.stop()
      #expect(ended.error.contains("POST ") && !ended.error.contains(current) && !ended.error.contains(former))
    }
  }

  @Test("`homeline token` prints a token that cannot be renewed until it expires, and then fails")
  func notRenewable() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    try fixture.changeTimes(renewAt: nil, expiresAt: .seconds(40), keepsRefreshToken: false)
    #expect(try await fixture.home.run("token").output == "\(try fixture.accessToken())\n")
    try fixture.changeTimes(renewAt: nil, expiresAt: .seconds(-1), keepsRefreshToken: false)
    let over = try await fixture.home.run("token")
    #expect(over.code == 77 && over.output == "" && over.error.contains("Run: homeline login bird"))
  }

  @Test("If the renewal fails or the authorisation has ended, `homeline token` prints only the reason")
  func noRenewal() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    try fixture.changeTimes(renewAt: .seconds(-100), expiresAt: .seconds(-1))
    fixture.server.withFaults { $0.add(.serviceUnavailable, to: XRoute.token.path, times: 9) }
    let passing = try await fixture.home.run("token")
    #expect(passing.code == 69 && passing.output == "" && passing.error.contains("bird: The server sent"))
    fixture.server.with { $0.oauth2 = XSandbox(redirects: []).oauth2 }
    fixture.server.withFaults { $0.removeAll() }
    let dead = try await fixture.home.run("token")
    #expect(dead.code == 77 && dead.output == "", "\(dead.error)")
    #expect(dead.error.contains("The authorisation has ended") && dead.error.contains("homeline login bird"))
    // The denial was final, so the following commands do not need the server.
    fixture.server.stop()
    let away = try await fixture.home.run("token")
    #expect(away.code == 77 && away.output == "" && away.error == dead.error, "\(away.error)")
  }

  @Test("While the server is down, `homeline token` prints nothing")
  func away() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    try fixture.changeTimes(renewAt: .seconds(-100), expiresAt: .seconds(-1))
    fixture.server.stop()
    let away = try await fixture.home.run("token")
    #expect(away.code == 69 && away.output == "", "\(away.error)")
  }

  @Test("A token is used only with the server that issued it")
  func otherServer() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    let asked = Locked(0)
    let other = try SandboxServer(XSandbox(redirects: [])) { _ in asked.withLock { $0 += 1 } }
    defer { other.stop() }
    try fixture.configure(at: other.baseURL)
    let before = fixture.tokenRequests
    let outcome = try await fixture.home.run("token")
    #expect(outcome.code == 78 && outcome.output == "", "\(outcome.error)")
    #expect(outcome.error.contains(fixture.server.baseURL) && outcome.error.contains(other.baseURL))
    try fixture.changeTimes(renewAt: .seconds(-1), expiresAt: .seconds(100))
    #expect(try await fixture.home.run("token").code == 78)
    #expect(try await fixture.home.run("refresh").code == 78)
    #expect(asked.withLock { $0 } == 0 && fixture.tokenRequests == before)
    try fixture.configure(at: fixture.server.baseURL)
    #expect(try await fixture.home.run("token").code == 0)
    try fixture.configure(at: other.baseURL)
    let logout = try await fixture.home.run("logout", "bird")
    #expect(logout.output.contains("did not revoke it") && !File.exists(fixture.tokenFile))
    #expect(asked.withLock { $0 } == 0)
  }

  @Test("`homeline token` exits with 77 without a login, and with 74 if it cannot write its output")
  func none() async throws {
    let fixture = try XFixture()
    let none = try await fixture.home.run("token")
    #expect(none.code == 77 && none.output == "")
    #expect(none.error == "homeline: bird: not authorised yet. Run: homeline login bird\n")
    let unknown = try await fixture.home.run("token", "brd")
    #expect(unknown.code == 64 && unknown.error.contains("did you mean bird?"))
    try await fixture.logIn()
    let full = try await fixture.home.shell(#""$0" token >/dev/full"#)
    #expect(full.code == 74 && full.error.contains("could not print the token"))
  }

  @Test("For an OAuth 1.0a account, `homeline token` prints nothing and suggests `homeline sign`")
  func signed() async throws {
    let home = try TestInstallation()
    try home.configure(
      #"{ "accounts": { "bird": { "provider": "twitter", "consumer_key": "k", "consumer_secret": "s" } } }"#)
    let outcome = try await home.run("token")
    #expect(outcome.code == 64 && outcome.output == "")
    #expect(outcome.error.contains("use homeline sign METHOD URL --account bird"))
    let sandbox = try await TestInstallation().run("token", "demo")
    #expect(sandbox.code == 64 && sandbox.error.contains("OAuth 1.0a"))
  }
}
