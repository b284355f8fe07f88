import Platform
import TestSupport
import Testing

/// Programs that exit while their threads are still working.
struct ProgramEndTests {
  /// exit(3) frees objects that OpenSSL's connections still use. This sometimes crashed the program after a successful
  /// renewal.
  @Test(
    "Commands and the service exit without running library destructors, which their threads would not survive",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func atOnce() async throws {
    let folder = TemporaryFolder()
    let plan = try DiskFaultPlan(below: try #require(Folder.parent(of: folder.path)))
    // Check that the count itself is correct.
    let other = try await ProgramRun.run(
      "true", environment: ProgramRun.environment(home: folder.path, plan.variables))
    #expect(other.code == 0)
    try #require(try plan.outcome.exits == 1)
    try plan.set(nil)

    let fixture = try await PostingFixture(withService: true, variables: plan.variables)
    fixture.post(2)
    try await fixture.run("refresh")
    #expect(try await fixture.home.start(["show"], plan.variables).end().code == 0)
    #expect(await fixture.daemon?.stop().outcome.code == 0)
    // Without a service, the command has its own listener and HTTP client.
    #expect(try await fixture.home.start(["refresh"], plan.variables).end().code == 0)
    #expect(try plan.outcome.exits == 0)
  }
}
