import Platform
import TestSupport
import Testing

/// How programs end whose threads are still at work.
struct ProgramEndTests {
  /// exit(3) frees what OpenSSL's connections work with: a renewal that had gone well ended by a signal now and then.
  @Test(
    "Commands and the service exit without running library destructors under their threads",
    .enabled(if: FaultPlan.isPossible, "a sanitizer is in the way"))
  func atOnce() async throws {
    let folder = TemporaryFolder()
    let plan = try FaultPlan(below: try #require(Folder.parent(of: folder.path)))
    // Otherwise the count below would stand still for another reason.
    let other = try await ProgramRun.run(
      "true", environment: ProgramRun.environment(home: folder.path, plan.variables))
    #expect(other.code == 0)
    try #require(try plan.outcome.exits == 1)
    try plan.set(nil)

    let road = try await PostingHome(withService: true, variables: plan.variables)
    road.post(2)
    try await road.run("refresh")
    #expect(try await road.home.start(["show"], plan.variables).end().code == 0)
    #expect(await road.daemon?.stop().outcome.code == 0)
    // By itself, with a listener and a client of its own.
    #expect(try await road.home.start(["refresh"], plan.variables).end().code == 0)
    #expect(try plan.outcome.exits == 0)
  }
}
