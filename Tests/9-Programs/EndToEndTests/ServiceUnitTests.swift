import Platform
import TestSupport
import Testing

/// The systemd units installed by `make install`.
@Suite("The installed systemd units") struct ServiceUnitTests {
  @Test("systemd starts, watches, reloads, sandboxes and stops the service, and passes it the sockets")
  func service() async throws {
    try await Self.run("service_by_systemd.sh", [Self.programs], timeout: .seconds(400))
  }

  @Test("The tutorial's commands work in the given order")
  func tutorial() async throws {
    try await Self.run("tutorial_by_systemd.sh", [Self.programs], timeout: .seconds(400))
  }

  @Test("systemd-analyze accepts the installed units, and make uninstall removes every file")
  func unitsAreVerified() async throws {
    try await Self.run("verify_units.sh", [Self.programs], timeout: .seconds(60))
  }

  /// The folder with the built programs.
  static var programs: String {
    get throws { try #require(Folder.parent(of: ProgramRun.product("homelined"))) }
  }

  /// Runs a script in Tests/Peers, which exits with 77 if it cannot run on this machine.
  static func run(_ script: String, _ arguments: [String] = [], timeout: Duration) async throws {
    let outcome = try await ProgramRun.run(
      "bash", [Repository.path("Tests/Peers/\(script)")] + arguments,
      environment: ProcessEnvironment.variables(), timeout: timeout)
    if outcome.code == 77 { try skipTest("\(outcome.output)") }
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
  }
}
