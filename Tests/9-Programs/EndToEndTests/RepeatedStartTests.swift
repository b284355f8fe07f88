import Glibc
import Platform
import Sandbox
import SandboxSupport
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time

/// Programs that exit before they have stored the response, or that cannot store anything. The next program still knows
/// when the provider got the last request.
@Suite("Repeated starts", .timeLimit(.minutes(10))) struct RepeatedStartTests {
  private static let members = #""refresh_seconds": 15, "keep_posts": 20"#

  /// Makes the account due for a refresh. The last refresh may have brought nothing new; the file with its start then states when the next
  /// one is due, so that file is emptied.
  private func makeDue(_ fixture: TwitterFixture) async throws {
    try AtomicFile.write([], to: Self.marker(fixture), .replaced)
    let outcome = try await ProgramRun.run(
      "sqlite3",
      [
        "\(fixture.home.path)/data/homeline/demo/timeline.db",
        "UPDATE state SET next_refresh_at = 0",
      ], environment: fixture.home.environment())
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  /// The path of the file with the start of the last request.
  private static func marker(_ fixture: TwitterFixture) -> String {
    "\(fixture.home.path)/data/homeline/demo/request-start"
  }

  /// Logs in and refreshes twice. The second refresh brings nothing new.
  private func loggedIn(_ onRequest: @escaping @Sendable (String) -> Void = { _ in }) async throws -> TwitterFixture {
    let fixture = try TwitterFixture(Self.members) { onRequest($0.path) }
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    #expect(try await daemon.request("refresh").contains(#""exit":0"#))
    #expect(await daemon.stop().outcome.code == 0)
    return fixture
  }

  @Test(
    "On a full disk, timer runs send no request and exit with 74; once there is space, the next run refreshes",
    .enabled(if: DiskFaultPlan.isPossible))
  func onceOnFullDisk() async throws {
    let fixture = try await loggedIn()
    try await makeDue(fixture)
    let requestsBefore = fixture.count(of: .homeTimeline)
    let plan = try DiskFaultPlan(below: "\(fixture.home.path)/data")
    try plan.set(DiskFault(number: 1, extent: .lasting, code: ENOSPC))
    for _ in 0..<5 {
      let outcome = try await fixture.home.start(["daemon", "--once"], plan.variables).end()
      #expect(outcome.code == 74, "\(outcome.error)")
    }
    #expect(fixture.count(of: .homeTimeline) == requestsBefore)
    let outcome = try await fixture.home.run("daemon", "--once")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(fixture.count(of: .homeTimeline) == requestsBefore + 1)
  }

  @Test("A timer run that cannot write its request marker sends no request and reports the marker's path")
  func onceWithoutMarker() async throws {
    let fixture = try await loggedIn()
    try await makeDue(fixture)
    let requestsBefore = fixture.count(of: .homeTimeline)
    let marker = Self.marker(fixture)
    try File.remove(marker)
    try Folder.create(marker)
    let outcome = try await fixture.home.run("daemon", "--once")
    #expect(outcome.code == 74 && outcome.error.contains(marker), "\(outcome.error)")
    #expect(fixture.count(of: .homeTimeline) == requestsBefore)
    #expect(try JSONValue(file: fixture.home.timeline(of: "demo"))["error"]["code"].text == "storage")
  }

  @Test("A service killed at every request still waits longer after each unfinished request")
  func crashes() async throws {
    let victim = Locked<ProgramRun?>(nil)
    let isDeadly = Locked(false)
    let fixture = try await loggedIn { path in
      if path.contains("home_timeline"), isDeadly.withLock({ $0 }) { victim.withLock { $0 }?.signal(SIGKILL) }
    }
    try await makeDue(fixture)
    isDeadly.withLock { $0 = true }
    let requestsBefore = fixture.count(of: .homeTimeline)
    // The pauses after one and two unfinished requests are 15 and 30 s, which a busy machine may shorten.
    for (requests, pause) in [(1, 12), (2, 27)] {
      let program = try fixture.home.start(["daemon"])
      victim.withLock { $0 = program }
      #expect(await program.end().code == 128 + SIGKILL)
      let killedAt = WallClock.system.now
      #expect(fixture.count(of: .homeTimeline) == requestsBefore + requests)
      for _ in 0..<5 {
        let daemon = try await RunningDaemon(fixture.home)
        let next = try #require(try await daemon.status()["accounts"].items.first?["next_refresh_at"].text)
        #expect(try #require(Timestamp(rfc3339: next)) - killedAt >= .seconds(pause), "\(next), killed at \(killedAt)")
        await daemon.stop(SIGKILL)
      }
      #expect(fixture.count(of: .homeTimeline) == requestsBefore + requests)
    }
    // A refresh that the user requests does not wait, and the service is back to normal afterwards.
    isDeadly.withLock { $0 = false }
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 0, "\(outcome.error)")
    let daemon = try await RunningDaemon(fixture.home)
    let last = fixture.count(of: .homeTimeline)
    #expect(try await eventually(within: .seconds(90)) { fixture.count(of: .homeTimeline) > last })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("On a full disk, a renewal sends no request; once there is space, it succeeds")
  func renewalOnFullDisk() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    try fixture.changeTimes(renewAt: .seconds(-60), expiresAt: .seconds(-1))
    let plan = try DiskFaultPlan(below: "\(fixture.home.path)/state/homeline/bird")
    let daemon = try await RunningDaemon(fixture.home, [], plan.variables)
    try plan.set(DiskFault(number: 1, extent: .lasting, code: ENOSPC))
    let requestsBefore = fixture.tokenRequests
    for _ in 0..<3 { #expect(try await daemon.request("refresh").contains(#""exit":74"#)) }
    #expect(fixture.tokenRequests == requestsBefore)
    try plan.set(nil)
    #expect(try await eventually(within: .seconds(60)) { fixture.tokenRequests > requestsBefore })
    #expect(
      try await eventually { try fixture.stored().grant.bearer?.expiresAt.map { $0 > WallClock.system.now } == true })
    #expect(fixture.tokenRequests == requestsBefore + 1)
    #expect(await daemon.stop().outcome.code == 0)
  }
}
