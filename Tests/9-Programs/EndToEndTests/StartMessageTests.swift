import TestSupport
import Testing

/// What a service logs if its account is not logged in.
@Suite("A service with no logged-in account") struct StartMessageTests {
  @Test("The first log line names the account that is not logged in, and no line claims that all is well")
  func firstLine() async throws {
    let home = try TestInstallation()
    let daemon = try await RunningDaemon(home)
    // By now, the user's refresh has checked the account.
    let outcome = try await home.run("refresh")
    #expect(outcome.code == 77, "\(outcome.error)")
    let lines = daemon.log.split(separator: "\n")
    #expect(
      lines.count {
        $0.hasSuffix("is up: 1 account, 1 with problems; demo: not authorised yet. Run: homeline login demo")
      }
        == 1,
      "\(daemon.log)")
    #expect(lines.count { $0.contains("not authorised yet") } == 1, "\(daemon.log)")
    #expect(!daemon.log.contains("all well"), "\(daemon.log)")
    #expect(await daemon.stop().outcome.code == 0)
  }
}
