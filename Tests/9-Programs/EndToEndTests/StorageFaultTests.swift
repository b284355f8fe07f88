import Glibc
import Platform
import Sandbox
import SandboxSupport
import Storage
import StorageSQLite
import TestSupport
import Testing

/// What the service requests and reports while nothing can be stored. The simulated providers count the requests.
@Suite("Storage failures", .enabled(if: DiskFaultPlan.isPossible), .timeLimit(.minutes(10)))
struct StorageFaultTests {
  /// The shortest expected pause. The configured pause is 15 s, but on a busy machine a request may arrive late, closer
  /// to the next one.
  private static let shortestPause = Duration.seconds(12)

  /// A disk failure, and how homeline describes it.
  struct DiskFailure: CustomTestStringConvertible, Sendable {
    let code: Int32
    let message: String
    var testDescription: String { message }

    static let all = [
      DiskFailure(code: ENOSPC, message: "disk full"), DiskFailure(code: EDQUOT, message: "quota exceeded"),
      DiskFailure(code: EROFS, message: "Read-only file system"), DiskFailure(code: EIO, message: "Input/output error"),
    ]
  }

  @Test(
    "While the disk fails, requests respect the retry pauses and the error is shown; afterwards, the service recovers",
    arguments: DiskFailure.all)
  func failingDisk(_ failure: DiskFailure) async throws {
    let fixture = try FourProvidersFixture()
    let plan = try DiskFaultPlan(below: fixture.home.path)
    let daemon = try await RunningDaemon(fixture.home, [], plan.variables, life: .seconds(600))
    try await fixture.logIn(by: daemon)
    try await expectFewRequests(
      fixture, daemon, saying: failure.message,
      begin: { try plan.set(DiskFault(number: 1, extent: .lasting, code: failure.code)) },
      end: { try plan.set(nil) })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("While another process locks every database, requests respect the retry pauses")
  func lockedDatabases() async throws {
    let fixture = try FourProvidersFixture()
    let daemon = try await RunningDaemon(fixture.home, life: .seconds(600))
    try await fixture.logIn(by: daemon)
    let lockers = try FourProvidersFixture.accounts.map { account in
      try ProgramRun(
        "sqlite3", ["-interactive", fixture.home.database(of: account)], environment: fixture.home.environment(),
        input: .open,
        timeout: .seconds(600))
    }
    try await expectFewRequests(
      fixture, daemon, saying: "locked by another process",
      begin: {
        for locker in lockers {
          try await lock(locker)
        }
      },
      end: { for locker in lockers { locker.type("ROLLBACK;\n.quit\n") } })
    for locker in lockers { #expect(await locker.end().code == 0) }
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("Deleting the databases does not cause requests before the retry pauses are over")
  func removedDatabases() async throws {
    let fixture = try FourProvidersFixture()
    let daemon = try await RunningDaemon(fixture.home, life: .seconds(600))
    try await fixture.logIn(by: daemon)
    fixture.forgetRequests()
    let start = BootInstant.now
    for _ in 0..<3 {
      _ = try await fixture.home.shell("rm -rf '\(fixture.home.path)/data/homeline'")
      let before = fixture.count(of: "twitter")
      #expect(try await eventually(within: .seconds(120)) { fixture.count(of: "twitter") > before })
    }
    expectPauses(fixture, since: start)
    #expect(
      try await eventually(within: .seconds(60)) { try fixture.home.published("twitter")["posts"].items.count == 20 })
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Prevents storing until the scheduler has sent a provider two requests by itself, and then checks the requests and
  /// messages.
  private func expectFewRequests(
    _ fixture: FourProvidersFixture, _ daemon: RunningDaemon, saying message: String, begin: () async throws -> Void,
    end: () throws -> Void
  ) async throws {
    try await begin()
    fixture.forgetRequests()
    let statistics = ProcessStatistics(process: daemon.program.process)
    let (start, used) = (BootInstant.now, try statistics.processorTime())
    let events = try await daemon.request("refresh")
    #expect(events.contains(#""exit":74"#), "\(events)")
    let requestsBefore = fixture.count(of: "twitter")
    #expect(try await eventually(within: .seconds(240)) { fixture.count(of: "twitter") >= requestsBefore + 2 })

    expectPauses(fixture, since: start)
    // The cost of a request cannot be reserved, so the service sends none to X.
    #expect(fixture.count(of: "x") == 0)
    let status = try await fixture.home.run("status", "-v")
    #expect(status.output.contains("last error") && status.output.contains(message), "\(status.output)")
    #expect(!status.output.contains("Rate limit"))
    #expect(daemon.log.contains(message) && !daemon.log.contains("Rate limit"), "\(daemon.log)")
    let (share, passed) = (try statistics.processorTime() - used, BootInstant.now - start)
    #expect(share < passed / 100, "\(share) of \(passed)")

    try end()
    #expect(
      try await eventually(within: .seconds(60)) {
        try await !fixture.home.run("status", "-v").output.contains("last error")
      },
      "\(daemon.log)")
    for account in FourProvidersFixture.accounts {
      #expect(
        try fixture.home.published(account)["error"] == .null, "\(account): \(daemon.log)")
    }
    expectPauses(fixture, since: start)
    #expect(try await IntegrityCheck(home: fixture.home).damagedDatabases() == [])
  }

  /// Checks that an account's scheduled requests are at least the shortest pause apart. The first request is the
  /// user's.
  private func expectPauses(_ fixture: FourProvidersFixture, since start: BootInstant) {
    for (account, moments) in fixture.requests {
      for (one, next) in zip(moments, moments.dropFirst()) {
        #expect(next - one >= Self.shortestPause, "\(account): \(moments.map { $0 - start })")
      }
    }
  }
}

extension StorageFaultTests {
  @Test("A response that cannot be stored is published from memory, and stored later without another request")
  func shownFromMemory() async throws {
    let fixture = try await PostingFixture(withService: true)
    let daemon = try #require(fixture.daemon)
    let before = try fixture.home.publishedIDs()
    let database = "\(fixture.home.path)/data/homeline/demo/timeline.db"
    let locker = try ProgramRun(
      "sqlite3", ["-interactive", database], environment: fixture.home.environment(), input: .open,
      timeout: .seconds(240))
    try await lock(locker)
    fixture.post(3)
    let requestsBefore = fixture.twitter.count(of: .homeTimeline)
    #expect(try await daemon.request("refresh").contains(#""exit":74"#))
    #expect(fixture.twitter.count(of: .homeTimeline) == requestsBefore + 1)
    let shown = try fixture.home.publishedIDs()
    #expect(shown.count > before.count || shown.first != before.first)
    #expect(Array(shown.dropFirst(3).prefix(5)) == Array(before.prefix(5)))
    #expect(try fixture.home.published()["error"]["code"].text == "storage")
    let stored = "SELECT count(*) FROM posts WHERE id = '\(shown[0])'"
    #expect(try await sql(stored, fixture) == "0")

    locker.type("ROLLBACK;\n.quit\n")
    #expect(try await eventually(within: .seconds(60)) { try await self.sql(stored, fixture) == "1" })
    #expect(try await eventually { try fixture.home.published()["error"] == .null })
    #expect(try fixture.home.publishedIDs() == shown)
    #expect(fixture.twitter.count(of: .homeTimeline) == requestsBefore + 1)
    _ = await locker.end()
    await fixture.end()
  }

  /// Locks a shell's database. The service may be writing just now; without a busy timeout, the statement would fail.
  private func lock(_ shell: ProgramRun) async throws {
    // The shell repeats what is typed, so the line is one that only the statement prints.
    shell.type(".timeout 60000\nBEGIN EXCLUSIVE; SELECT upper('held');\n")
    try #require(await shell.line(containing: "HELD") != nil)
  }

  private func sql(_ statement: String, _ fixture: PostingFixture) async throws -> String {
    let outcome = try await ProgramRun.run(
      "sqlite3", ["-readonly", "\(fixture.home.path)/data/homeline/demo/timeline.db", statement],
      environment: fixture.home.environment())
    return String(outcome.output.prefix { !$0.isNewline })
  }
}
