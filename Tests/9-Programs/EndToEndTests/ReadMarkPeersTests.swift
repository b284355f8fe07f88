import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Read marks that homeline shares with other clients.
@Suite("Shared read marks", .timeLimit(.minutes(2))) struct ReadMarkPeersTests {
  private let home: TestInstallation
  private let server: SandboxServer<MastodonSandbox>

  init() throws {
    home = try TestInstallation()
    server = try SandboxServer(MastodonSandbox(.mastodon))
  }

  private func configure(_ more: String) throws {
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon", "server": "\(server.baseURL)",
        "refresh_seconds": 86400, "keep_posts": 20\(more) } } }
      """)
  }

  @Test("Mastodon.py reads the mark of `homeline read`, and homeline follows a mark that Mastodon.py sets", .needsPeers)
  func mastodonPy() async throws {
    defer { server.stop() }
    try configure(#", "sync_marks": true"#)
    try await home.logIn()
    let ids = try home.publishedIDs("ann")
    #expect(try await home.run("read", "ann", "--up-to", ids[6]).code == 0)
    #expect(try await home.run("refresh", "ann").code == 0)
    let token = try #require(try JSONValue(file: home.token(of: "ann"))["access_token"].text)
    let reader = try Peers.start("read_markers.py", [server.baseURL], input: .text(token + "\n"))
    let read = await reader.end()
    #expect(read.code == 0, "\(read.error)")
    #expect(try JSONValue(Array(read.output.utf8))["home"].text == ids[6])

    let writer = try Peers.start("read_markers.py", [server.baseURL, "--set", ids[2]], input: .text(token + "\n"))
    let written = await writer.end()
    #expect(written.code == 0, "\(written.error)")
    #expect(try await home.run("refresh", "ann").code == 0)
    #expect(try home.published("ann")["read_up_to"].text == ids[2])
  }

  @Test("Without the scope for setting marks, `refresh`, `status` and `doctor` name the login that asks for it")
  func missingScope() async throws {
    defer { server.stop() }
    try configure("")
    try await home.logIn()
    try configure(#", "sync_marks": true"#)
    let refreshed = try await home.run("refresh", "ann")
    #expect(refreshed.code == 0)
    let status = try await home.run("status")
    let doctor = try await home.run("doctor")
    for outcome in [refreshed, status, doctor] {
      let text = (outcome.output + outcome.error).split { $0.isWhitespace }.joined(separator: " ")
      #expect(text.contains("needs the scope write:statuses"), "\(text)")
      #expect(text.contains("To log in again with this permission, run: homeline login ann"), "\(text)")
    }
    try await home.logIn()
    #expect(try await !home.run("status").output.contains("write:statuses"))
    #expect(try await home.run("check").code == 0)
  }
}
