import Glibc
import Platform
import TestSupport
import Testing

/// A service whose control socket is deleted while it runs.
@Suite("A lost control socket") struct LostControlSocketTests {
  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  /// Returns a home folder with a runtime folder, where the control socket is.
  private func servedHome() throws -> TwitterFixture {
    let fixture = try TwitterFixture(Self.members)
    try Folder.create("\(fixture.home.path)/run")
    return fixture
  }

  /// Returns whether the service responds to `homeline status`.
  private func isAnswered(_ home: TestInstallation) async throws -> Bool {
    let outcome = try await home.run("status", "--json")
    return try JSONValue(Array(outcome.output.utf8))["owner"]["version"].text != nil
  }

  private func mode(of path: String) throws -> UInt32 { try FileStatus.ofLink(path).permissions }

  @Test(
    "The service recreates a deleted control socket or folder, and commands in progress continue",
    arguments: [false, true])
  func removed(withFolder: Bool) async throws {
    let fixture = try servedHome()
    let daemon = try await RunningDaemon(fixture.home)
    let folder = try #require(Folder.parent(of: daemon.socket))
    let (login, address) = try await daemon.beginLogin("demo")
    for _ in 0..<2 {
      let former = try FileStatus.ofLink(daemon.socket).identity
      if withFolder {
        // The folder also contains status.json, which the service may be replacing at the same time.
        #expect(try await eventually { try await fixture.home.shell("rm -r '\(folder)'").code == 0 })
      } else {
        try File.remove(daemon.socket)
      }
      #expect(try await eventually { try await isAnswered(fixture.home) }, "\(daemon.log)")
      #expect(try FileStatus.ofLink(daemon.socket).identity != former)
      #expect(try mode(of: daemon.socket) == 0o600)
      #expect(try mode(of: folder) == 0o700)
    }
    // This login is connected through the deleted socket.
    let events = try await OwnThread.run {
      let browser = ScriptedBrowser()
      _ = try browser.follow(browser.grant(at: address))
      return String(decoding: try login.receiveToEnd(), as: UTF8.self)
    }
    #expect(events.contains(#""event":"end","exit":0"#), "\(events)")
    #expect(
      daemon.log.contains("the control socket \(daemon.socket) was removed and has been recreated"), "\(daemon.log)")
    #expect(await daemon.stop().outcome.code == 0)
    #expect(!File.exists(daemon.socket))
  }

  @Test(
    "If another program's socket is at the control socket's path, the service leaves it alone and listens in its state folder"
  )
  func replaced() async throws {
    let fixture = try servedHome()
    let daemon = try await RunningDaemon(fixture.home)
    let aside = "\(daemon.socket).new"
    let stranger = try UnixSocket.listening(at: aside)
    defer { close(stranger) }
    let identity = try FileStatus.ofLink(aside).identity
    try File.rename(aside, to: daemon.socket)
    #expect(try await eventually { try await isAnswered(fixture.home) }, "\(daemon.log)")
    let named = try JSONValue(file: fixture.home.lock)["control_socket"].text
    #expect(named == "\(fixture.home.path)/state/homeline/control.socket")
    #expect(await daemon.stop().outcome.code == 0)
    #expect(try FileStatus.ofLink(daemon.socket).identity == identity)
  }
}
