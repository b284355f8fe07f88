import Platform
import TestSupport
import Testing

/// A service that keeps running while an upgrade replaces its files.
@Suite("Upgrading while a service is running") struct OutdatedServiceTests {
  @Test("`homeline status`, and other commands with -v, warn that the service is older than the installed files")
  func replaced() async throws {
    let home = try TestInstallation()
    let programs = "\(home.path)/programs"
    let copy = try await home.shell(
      "mkdir '\(programs)' && cp '\(ProgramRun.product("homeline"))' '\(ProgramRun.product("homelined"))' '\(programs)'"
    )
    try #require(copy.code == 0, "\(copy.error)")
    let program = try ProgramRun("\(programs)/homeline", ["daemon"], environment: home.environment())
    #expect(await program.line(containing: " is up: ", on: .error) != nil)
    let daemon = try RunningDaemon(home, of: program)
    let note = "the running service (process \(daemon.program.process)) is older than the installed files"
    #expect(try await !home.run("status").error.contains(note))
    let upgrade = try await home.shell(
      "install -m 755 '\(ProgramRun.product("homelined"))' '\(programs)/homelined'")
    try #require(upgrade.code == 0, "\(upgrade.error)")
    for arguments in [["status"], ["refresh", "-v"]] {
      let outcome = try await home.start(arguments).end()
      #expect(outcome.error.contains("\(note). Restart it: systemctl --user restart homeline\n"), "\(outcome.error)")
    }
    #expect(try await !home.run("refresh").error.contains(note))
    await daemon.stop()
  }
}
