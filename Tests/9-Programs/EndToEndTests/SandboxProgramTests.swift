import Glibc
import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline sandbox`, and the sandbox that `homelined` runs as a child process.
@Suite struct SandboxProgramTests {
  // MARK: homeline sandbox

  /// The providers of the documented Python programs, and part of each program's output.
  private static let walks = [("twitter", "posts"), ("oauth2", "authorised as mira_demo"), ("mastodon", "posts")]

  private static func pythonOfHowTo() throws -> [String] {
    let text = String(decoding: try ProgramRun.file("docs/how-to/test-your-client.md"), as: UTF8.self)
    return text.split(separator: "```").filter { $0.hasPrefix("python\n") }.map {
      String($0.dropFirst("python\n".count))
    }
  }

  @Test(
    "The documented example clients can log in to the sandbox and read the timeline", .needsPeers,
    arguments: Array(walks.enumerated()))
  func clients(_ index: Int, _ walk: (provider: String, says: String)) async throws {
    let programs = try Self.pythonOfHowTo()
    #expect(programs.count == Self.walks.count)
    let home = try TestInstallation()
    let sandbox = try home.start(["sandbox", "--provider", walk.provider, "--port", "0"])
    let line = try #require(await sandbox.line(containing: "server:"))
    let server = try #require(line.split(separator: " ").last)
    let outcome = try await ProgramRun.run(
      try #require(Peers.python), ["-c", programs[index].replacing("http://127.0.0.1:8767", with: server)],
      environment: home.environment(["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0 && outcome.output.contains(walk.says), "\(outcome.output)\(outcome.error)")
    sandbox.signal(SIGTERM)
    _ = await sandbox.end()
  }

  @Test("An API fault affects only API requests, and -v logs the requests")
  func faults() async throws {
    let sandbox = try TestInstallation().start([
      "sandbox", "--provider", "mastodon", "--port", "0", "--fault", "server-error", "-v",
    ])
    let line = try #require(await sandbox.line(containing: "server:"))
    let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(try TestClient.get("/api/v1/timelines/home", port: port).status == 503)
    #expect(try TestClient.get("/.well-known/oauth-authorization-server", port: port).status == 200)
    #expect(await sandbox.line(containing: "GET /api/v1/timelines/home -> 503", on: .error) != nil)
    sandbox.signal(SIGTERM)
    _ = await sandbox.end()
  }

  @Test("Each simulated provider can be selected by name", arguments: Simulation.all.map(\.name))
  func providers(_ name: String) async throws {
    try await starts(["--provider", name])
  }

  @Test("Each fault can be selected by name", arguments: FaultName.allCases)
  func faultNames(_ name: FaultName) async throws {
    try await starts(["--fault", "\(name.rawValue)=3"])
  }

  private func starts(_ arguments: [String]) async throws {
    let sandbox = try TestInstallation().start(["sandbox", "--port", "0"] + arguments)
    #expect(await sandbox.line(containing: "server:") != nil, "\(sandbox.written(on: .error))")
    sandbox.signal(SIGTERM)
    _ = await sandbox.end()
  }

  @Test("Unknown faults, zero counts and ports in use are refused with a reason")
  func refused() async throws {
    let home = try TestInstallation()
    let unknown = try await home.run("sandbox", "--fault", "nothing")
    #expect(unknown.code == 64 && unknown.error.contains("rate-limited"), "\(unknown.error)")
    let never = try await home.run("sandbox", "--fault", "slow=0")
    #expect(never.code == 64 && never.error.contains("from 1"), "\(never.error)")
    let port = try RawServer { _ in [] }
    defer { port.stop() }
    let taken = try await home.run("sandbox", "--port", "\(port.port)")
    #expect(taken.code == 73 && taken.error.contains("\(port.port) is taken by"), "\(taken.error)")
  }

  // MARK: Child process of homelined

  /// Returns the id of the sandbox process that a process has started.
  private func child(of process: Int32) async throws -> Int32 {
    let outcome = try await ProgramRun.run(
      "pgrep", ["--parent", "\(process)", "--full", "homeline-sandbox"], environment: ["PATH": "/usr/bin:/bin"])
    return try #require(Int32(outcome.output.split(separator: "\n").first ?? ""), "\(outcome.error)")
  }

  @Test("`homeline login --press-authorise` completes a sandbox login and downloads the pictures")
  func pressed() async throws {
    let home = try TestInstallation(account: #""keep_posts": 20, "publish": ["html"]"#)
    let outcome = try await home.run("login", "--press-authorise")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("Authorised as @mira_demo"))
    #expect(try home.files(below: "\(home.path)/cache/homeline/_media").isEmpty == false)
    #expect(try home.read("\(home.cacheFolder)/home_timeline.html").contains("<img class=\"avatar\""))
  }

  @Test("`homeline login --press-authorise` works only with the sandbox")
  func notPressed() async throws {
    let fixture = try TwitterFixture()
    let outcome = try await fixture.home.run("login", "--press-authorise")
    #expect(outcome.code == 78 && outcome.error.contains("only in the sandbox"), "\(outcome.error)")
  }

  @Test("A crashed sandbox restarts on the same port, and refreshes continue")
  func startedAgain() async throws {
    let home = try TestInstallation()
    #expect(try await home.run("login", "--press-authorise").code == 0)
    let daemon = try await RunningDaemon(home)
    #expect(try await home.run("refresh").code == 0)
    let first = try await child(of: daemon.program.process)
    kill(first, SIGKILL)
    #expect(await daemon.program.line(containing: "the sandbox exited with status 137", on: .error) != nil)
    let refresh = try await home.run("refresh")
    #expect(refresh.code == 0, "\(refresh.error)")
    #expect(try await child(of: daemon.program.process) != first)
    _ = await daemon.stop()
  }

  @Test("The sandbox exits when the service exits or is killed, and frees its port for the next sandbox")
  func ended() async throws {
    let home = try TestInstallation()
    let reserved = try ReservedPort()
    try home.configure(
      #"{"callback": {"port": 0}, "sandbox": {"port": \#(reserved.port)}, "accounts": {"demo": {"provider": "sandbox", "keep_posts": 20}}}"#
    )
    #expect(try await home.run("login", "--press-authorise").code == 0)
    for number in [SIGKILL, SIGTERM] {
      let daemon = try await RunningDaemon(home)
      #expect(try await home.run("refresh").code == 0)
      let sandbox = try await child(of: daemon.program.process)
      _ = await daemon.stop(number)
      #expect(try await eventually { kill(sandbox, 0) != 0 }, "after signal \(number)")
    }
    let daemon = try await RunningDaemon(home)
    #expect(try await home.run("refresh").code == 0)
    _ = await daemon.stop()
  }

  @Test("The URL of a sandbox post can be opened, even after a restart")
  func addresses() async throws {
    let home = try TestInstallation()
    let reserved = try ReservedPort()
    try home.configure(
      #"{"callback": {"port": 0}, "sandbox": {"port": \#(reserved.port)}, "accounts": {"demo": {"provider": "sandbox", "keep_posts": 20}}}"#
    )
    #expect(try await home.run("login", "--press-authorise").code == 0)
    let daemon = try await RunningDaemon(home)
    for address in try await home.jq(".posts[] | .url").split(separator: "\n") {
      let prefix = "http://127.0.0.1:\(reserved.port)"
      #expect(address.hasPrefix(prefix + "/"), "\(address)")
      #expect(
        try TestClient.get(String(address.dropFirst(prefix.count)), port: reserved.port).status == 200, "\(address)")
    }
    #expect(try TestClient.get("/mira_demo/status/1", port: reserved.port).status == 404)
    _ = await daemon.stop()
  }

  @Test("If another program uses the sandbox's port, the login names that program and exits with 73")
  func taken() async throws {
    let home = try TestInstallation()
    let port = try RawServer { _ in [] }
    defer { port.stop() }
    try home.configure(
      #"{"callback": {"port": 0}, "sandbox": {"port": \#(port.port)}, "accounts": {"demo": {"provider": "sandbox"}}}"#)
    let outcome = try await home.run("login", "--press-authorise")
    #expect(outcome.code == 73, "\(outcome.error)")
    #expect(outcome.error.contains("the sandbox's port \(port.port) is taken by "), "\(outcome.error)")
  }
}
