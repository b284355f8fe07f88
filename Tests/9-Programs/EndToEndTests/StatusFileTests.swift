import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The file `$XDG_RUNTIME_DIR/homeline/status.json`, for programs that do not use the control socket.
@Suite struct StatusFileTests {
  /// Creates a runtime folder, as the system would.
  private func runtimeFolder(of home: TestInstallation) throws -> String {
    let folder = "\(home.path)/run"
    try Folder.create(folder)
    return folder
  }

  private func account(_ path: String) throws -> JSONValue { try JSONValue(file: path)["accounts"].items[0] }

  @Test("The status file shows the outcome of each refresh, and exists only while the service runs")
  func follows() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#)
    let path = "\(try runtimeFolder(of: fixture.home))/homeline/status.json"
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    #expect(try await eventually { try account(path)["refreshed_at"].text != nil })
    let first = try JSONValue(file: path)
    #expect(first["schema"].integer == 1 && first["owner"]["pid"].integer == Int(daemon.program.process))
    #expect(try account(path)["fresh_until"].text != nil && account(path)["next_refresh_at"].text != nil)
    #expect(try FileStatus.of(path).permissions == 0o600)

    let before = try FileStatus.of(path)
    #expect(try await daemon.request("refresh").contains(#""exit":0"#))
    #expect(try await eventually { try FileStatus.of(path) != before })
    fixture.sandbox.withFaults { $0.add(.error(503, code: 130, "over capacity"), to: .homeTimeline) }
    _ = try await daemon.request("refresh")
    #expect(try await eventually { try account(path)["error"]["code"].text == "provider" })
    #expect(try account(path)["stale_since"].text != nil && account(path)["fresh_until"] == .null)
    #expect(await daemon.stop().outcome.code == 0)
    #expect(!File.exists(path))
  }

  @Test(
    "A killed service leaves a status file with its process id, which the next state owner removes"
  )
  func killed() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#)
    let path = "\(try runtimeFolder(of: fixture.home))/homeline/status.json"
    let daemon = try await RunningDaemon(fixture.home)
    #expect(try await eventually { File.exists(path) })
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.end()
    let process = try #require(try JSONValue(file: path)["owner"]["pid"].integer)
    #expect(kill(pid_t(process), 0) != 0)
    _ = try await fixture.home.run("refresh")
    #expect(!File.exists(path))
  }

  @Test("Without a runtime folder, the service writes no status file")
  func without() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#)
    let daemon = try await RunningDaemon(fixture.home, [], ["XDG_RUNTIME_DIR": ""])
    try await daemon.logIn()
    #expect(await daemon.stop().outcome.code == 0)
    let found = try await fixture.home.shell("find \(fixture.home.path) -name status.json")
    #expect(found.output == "")
  }

  @Test("The status file conforms to its JSON Schema", .needsPeers)
  func schema() async throws {
    let fixture = try TwitterFixture(accounts: ["demo", "other"], #""refresh_seconds": 86400, "keep_posts": 20"#)
    let path = "\(try runtimeFolder(of: fixture.home))/homeline/status.json"
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn("demo")
    #expect(try await eventually { try account(path)["refreshed_at"].text != nil })
    #expect(try await PublishedSchemaTests.violations(of: "status", path) == "")
    #expect(await daemon.stop().outcome.code == 0)
  }
}
