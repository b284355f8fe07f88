import CivilTime
import Glibc
import Platform
import Sandbox
import Store
import TestSupport
import Testing

/// Programs that end before the response is stored, or that cannot store anything: the next one knows when the
/// provider was last requested.
@Suite("Repeatedly started programs", .timeLimit(.minutes(10))) struct RepeatedStartTests {
  private static let members = #""refresh_seconds": 15, "keep_posts": 20"#

  /// Makes the account due.
  private func makeDue(_ served: ServedHome) async throws {
    let outcome = try await ProgramRun.run(
      "sqlite3",
      [
        "\(served.home.path)/data/homeline/demo/timeline.db",
        "UPDATE state SET next_refresh_at = 0",
      ], environment: served.home.environment())
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  private func loggedIn(_ onRequest: @escaping @Sendable (String) -> Void = { _ in }) async throws -> ServedHome {
    let served = try ServedHome(Self.members) { onRequest($0.path) }
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    #expect(await daemon.stop().outcome.code == 0)
    return served
  }

  @Test(
    "Timer runs on a full disk send no request and exit with 74, and the next one with space refreshes",
    .enabled(if: FaultPlan.isPossible))
  func onceOnFullDisk() async throws {
    let served = try await loggedIn()
    try await makeDue(served)
    let asked = served.count(of: .homeTimeline)
    let plan = try FaultPlan(below: "\(served.home.path)/data")
    try plan.set(DiskFault(number: 1, extent: .lasting, code: ENOSPC))
    for _ in 0..<5 {
      let outcome = try await served.home.start(["daemon", "--once"], plan.variables).end()
      #expect(outcome.code == 74, "\(outcome.error)")
    }
    #expect(served.count(of: .homeTimeline) == asked)
    let outcome = try await served.home.run("daemon", "--once")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(served.count(of: .homeTimeline) == asked + 1)
  }

  @Test("A timer run that cannot write its request marker sends no request and names the file")
  func onceWithoutMarker() async throws {
    let served = try await loggedIn()
    try await makeDue(served)
    let asked = served.count(of: .homeTimeline)
    let marker = "\(served.home.path)/data/homeline/demo/request-start"
    try File.remove(marker)
    try Folder.create(marker)
    let outcome = try await served.home.run("daemon", "--once")
    #expect(outcome.code == 74 && outcome.error.contains(marker), "\(outcome.error)")
    #expect(served.count(of: .homeTimeline) == asked)
    #expect(try JSONValue(file: served.timeline(of: "demo"))["error"]["code"].text == "storage")
  }

  @Test("A service killed at each request keeps to growing pauses across restarts")
  func crashes() async throws {
    let victim = Locked<ProgramRun?>(nil)
    let isDeadly = Locked(false)
    let served = try await loggedIn { path in
      if path.contains("home_timeline"), isDeadly.withLock({ $0 }) { victim.withLock { $0 }?.signal(SIGKILL) }
    }
    try await makeDue(served)
    isDeadly.withLock { $0 = true }
    let asked = served.count(of: .homeTimeline)
    // The pauses after one and two unfinished requests are 15 and 30 s, less the delay of a busy machine.
    for (requests, pause) in [(1, 12), (2, 27)] {
      let program = try served.home.start(["daemon"])
      victim.withLock { $0 = program }
      #expect(await program.end().code == 128 + SIGKILL)
      let killedAt = WallClock.system.now
      #expect(served.count(of: .homeTimeline) == asked + requests)
      for _ in 0..<5 {
        let daemon = try await RunningDaemon(served.home)
        let next = try #require(try await daemon.status()["accounts"].items.first?["next_refresh_at"].text)
        #expect(try #require(Timestamp(rfc3339: next)) - killedAt >= .seconds(pause), "\(next), killed at \(killedAt)")
        await daemon.stop(SIGKILL)
      }
      #expect(served.count(of: .homeTimeline) == asked + requests)
    }
    // A user's refresh does not wait, and normal operation resumes.
    isDeadly.withLock { $0 = false }
    let outcome = try await served.home.run("refresh")
    #expect(outcome.code == 0, "\(outcome.error)")
    let daemon = try await RunningDaemon(served.home)
    let last = served.count(of: .homeTimeline)
    #expect(try await eventually(within: .seconds(90)) { served.count(of: .homeTimeline) > last })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A renewal on a full disk sends no request, and succeeds once there is space")
  func renewalOnFullDisk() async throws {
    let bird = try BearerHome()
    try await bird.logIn()
    try bird.changeTimes(renewAt: .seconds(-60), expiresAt: .seconds(-1))
    let plan = try FaultPlan(below: "\(bird.home.path)/state/homeline/bird")
    let daemon = try await RunningDaemon(bird.home, [], plan.variables)
    try plan.set(DiskFault(number: 1, extent: .lasting, code: ENOSPC))
    let asked = bird.tokenRequests
    for _ in 0..<3 { #expect(try await daemon.ask("refresh").contains(#""exit":74"#)) }
    #expect(bird.tokenRequests == asked)
    try plan.set(nil)
    #expect(try await eventually(within: .seconds(60)) { bird.tokenRequests > asked })
    #expect(
      try await eventually { try bird.stored().grant.bearer?.expiresAt.map { $0 > WallClock.system.now } == true })
    #expect(bird.tokenRequests == asked + 1)
    #expect(await daemon.stop().outcome.code == 0)
  }
}
