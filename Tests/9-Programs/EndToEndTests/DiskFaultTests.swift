import Glibc
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Scenarios repeated with a different file-changing call failing each time. ``DiskFaultRounds`` selects the calls.
@Suite("Disk failures", .enabled(if: DiskFaultPlan.isPossible), .timeLimit(.minutes(60))) struct DiskFaultTests {
  private static let noPictures = #""media": {"megabytes": 0}"#
  private static let forms = #"["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#

  @Test("A disk failure during a login never loses an issued token, and the next login or refresh succeeds")
  func login() async throws {
    var logins = try DiskFaultLogins()
    let calls = try await logins.count()
    for fault in logins.rounds.faults(calls: calls) { try await logins.logIn(fault) }
    print(logins.rounds.tally("login", calls: calls))
  }

  @Test(
    "After a disk failure during a renewal, the newest token is either on disk or reported as lost",
    .needsPeers)
  func renewal() async throws {
    var renewals = try await DiskFaultRenewals()
    let calls = try await renewals.count()
    for fault in renewals.rounds.faults(calls: calls) { try await renewals.renew(fault) }
    print("\(renewals.rounds.tally("renewal", calls: calls)); \(renewals.lost) lost")
  }

  @Test(
    "A token is not lost if the disk fails while a process takes it over from a killed process",
    .needsPeers
  )
  func takingUp() async throws {
    var renewals = try await DiskFaultRenewals()
    try await renewals.leaveUnfinished()
    let calls = try await renewals.count()
    for fault in renewals.rounds.faults(calls: calls) {
      try await renewals.leaveUnfinished()
      try await renewals.renew(fault)
    }
    print("\(renewals.rounds.tally("adoption", calls: calls)); \(renewals.lost) lost")
  }

  @Test("A disk failure during a refresh never loses earlier posts, and the next refresh fetches the missing ones")
  func refresh() async throws {
    try await refresh("refresh", #""keep_posts": 20"#, more: Self.noPictures)
  }

  @Test(
    "After a disk failure during publishing, each file is either the complete old or the complete new version")
  func publishing() async throws {
    try await refresh(
      "publishing", #""keep_posts": 20, "publish": \#(Self.forms)"#,
      more: #"\#(Self.noPictures), "views": { "all": { "publish": \#(Self.forms) } }"#)
  }

  @Test("After a disk failure while fetching pictures, no page refers to an incomplete picture")
  func pictures() async throws {
    var pictures = try await DiskFaultPictures()
    let calls = try await pictures.count()
    for fault in pictures.rounds.faults(calls: calls) { try await pictures.fetch(fault) }
    print(pictures.rounds.tally("pictures", calls: calls))
  }

  @Test("The service reports a full disk, keeps running, and recovers once there is space")
  func fullForAWhile() async throws {
    // After this interval, the service would send a request even if it cannot record its start.
    let fixture = try TwitterFixture(#""refresh_seconds": 40, "keep_posts": 20"#)
    let plan = try DiskFaultPlan(below: fixture.home.path)
    let daemon = try await RunningDaemon(fixture.home, [], plan.variables)
    try await daemon.logIn()
    let before = try fixture.home.read(fixture.home.timeline(of: "demo"))
    // From now on, every write fails.
    try plan.set(DiskFault(number: 1, extent: .lasting, code: ENOSPC))
    let events = try await daemon.request("refresh")
    #expect(events.contains(#""exit":74"#), "\(events)")
    #expect(daemon.program.isRunning)
    #expect(try fixture.home.read(fixture.home.timeline(of: "demo")) == before)
    #expect(try plan.outcome.failed > 0)
    try plan.set(nil)
    let requestsBefore = fixture.count(of: .homeTimeline)
    // The service stores the pending posts without a command, and then the account becomes due.
    #expect(try await eventually(within: .seconds(150)) { fixture.count(of: .homeTimeline) > requestsBefore })
    #expect(
      try await eventually {
        let file = try JSONValue(file: fixture.home.timeline(of: "demo"))
        return try file["error"] == .null && fixture.home.read(fixture.home.timeline(of: "demo")) != before
      })
    #expect(try await IntegrityCheck(home: fixture.home).damagedDatabases() == [])
    #expect(await daemon.stop().outcome.code == 0)
  }

  private func refresh(_ path: String, _ members: String, more: String) async throws {
    var refreshes = try await DiskFaultRefreshes(members, more: more)
    let calls = try await refreshes.count()
    for fault in refreshes.rounds.faults(calls: calls) { try await refreshes.refresh(fault) }
    print(refreshes.rounds.tally(path, calls: calls))
  }
}
