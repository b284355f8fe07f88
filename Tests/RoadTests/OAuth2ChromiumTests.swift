import Glibc
import Platform
import TestSupport
import Testing

/// Chromium at an OAuth 2.0 server built on Authlib.
@Suite(.serialized, .needsPeers, .needs("chromium"), .needs("chromedriver"), .timeLimit(.minutes(2)))
struct OAuth2ChromiumTests {
  private func walk(_ login: OAuth2WaitingLogin, _ home: OAuth2Home, _ options: [String]) async throws -> ChromiumWalk {
    try await ChromiumWalk(
      from: login.address, of: login.program, options, environment: ProgramRun.environment(home: home.folder.path))
  }

  @Test("Chromium completes an OAuth 2.0 login, and the address bar contains neither code nor state")
  func authorise() async throws {
    let home = try await OAuth2Home(OAuth2PeerServer(), by: .endpoints)
    let login = try await OAuth2WaitingLogin(home)
    let walk = try await walk(login, home, ["--until", "Authorised as @99", "--linger", "1"])
    #expect(try await walk.jq(".ok, .status, .title") == "true\n200\nAuthorised as @99 · homeline", "\(walk.report)")
    let url = try PlainAddress(await walk.jq(".url"))
    #expect(url.path.hasPrefix("/callback/done/"))
    #expect(url.query.isEmpty)
    #expect(try await walk.jq(".errors | length") == "0", "\(walk.report)")
    // The server's redirect, then ours.
    #expect(try await walk.jq(".redirects | length") == "2", "\(walk.report)")
    #expect(await login.program.end().code == 0)
    #expect(try home.token()["user"]["name"].text == "A Peer")
  }

  @Test("Clicking Cancel in Chromium is reported as a refusal on the page and in the terminal")
  func cancel() async throws {
    let home = try await OAuth2Home(OAuth2PeerServer())
    let login = try await OAuth2WaitingLogin(home)
    let walk = try await walk(login, home, ["--click", "#deny", "--until", "You refused"])
    #expect(try await walk.jq(".ok, .title") == "true\nYou refused · homeline", "\(walk.report)")
    #expect(try await walk.jq(".errors | length") == "0", "\(walk.report)")
    #expect(await login.program.end().code == 77)
    #expect(!File.exists(home.tokenFile))
  }
}
