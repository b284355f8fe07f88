import Glibc
import Platform
import TestSupport
import Testing

/// Logins in Chromium at an OAuth 2.0 server built on Authlib.
@Suite(.serialized, .needsPeers, .needs("chromium"), .needs("chromedriver"), .timeLimit(.minutes(2)))
struct OAuth2ChromiumTests {
  private func walk(_ login: PendingLogin, _ fixture: OAuth2PeerFixture, _ options: [String]) async throws
    -> ChromiumVisit
  {
    try await ChromiumVisit(
      from: login.address, of: login.program, options, environment: ProgramRun.environment(home: fixture.home.path))
  }

  @Test("Chromium completes an OAuth 2.0 login, with neither code nor state in the address bar")
  func authorise() async throws {
    let fixture = try await OAuth2PeerFixture(OAuth2PeerServer(), by: .endpoints)
    let login = try await fixture.beginLogin()
    let walk = try await walk(login, fixture, ["--until", "Authorised as @99", "--linger", "1"])
    #expect(try await walk.jq(".ok, .status, .title") == "true\n200\nAuthorised as @99 · homeline", "\(walk.report)")
    let url = try LocalURL(await walk.jq(".url"))
    #expect(url.path.hasPrefix("/callback/done/"))
    #expect(url.query.isEmpty)
    #expect(try await walk.jq(".errors | length") == "0", "\(walk.report)")
    // One redirect by the server, and one by homeline.
    #expect(try await walk.jq(".redirects | length") == "2", "\(walk.report)")
    #expect(await login.program.end().code == 0)
    #expect(try fixture.token()["user"]["name"].text == "A Peer")
  }

  @Test(
    "If the user clicks Cancel during an OAuth 2.0 login in Chromium, the page and the terminal report the refusal")
  func cancel() async throws {
    let fixture = try await OAuth2PeerFixture(OAuth2PeerServer())
    let login = try await fixture.beginLogin()
    let walk = try await walk(login, fixture, ["--click", "#deny", "--until", "You refused"])
    #expect(try await walk.jq(".ok, .title") == "true\nYou refused · homeline", "\(walk.report)")
    #expect(try await walk.jq(".errors | length") == "0", "\(walk.report)")
    #expect(await login.program.end().code == 77)
    #expect(!File.exists(fixture.tokenFile))
  }
}
