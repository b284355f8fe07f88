import Glibc
import Platform
import Sandbox
import Store
import TestSupport
import Testing

/// Requests and messages while nothing can be stored, counted at the providers.
@Suite("Storage failures", .enabled(if: FaultPlan.isPossible), .timeLimit(.minutes(10)))
struct StorageFaultTests {
  /// The shortest pause is 15 s. A busy machine may shorten the time between two requests, because the first one
  /// arrives late.
  private static let shortestPause = Duration.seconds(12)

  /// A disk failure and its expected description.
  struct Trouble: CustomTestStringConvertible, Sendable {
    let code: Int32
    let word: String
    var testDescription: String { word }

    static let all = [
      Trouble(code: ENOSPC, word: "disk full"), Trouble(code: EDQUOT, word: "quota exceeded"),
      Trouble(code: EROFS, word: "Read-only file system"), Trouble(code: EIO, word: "Input/output error"),
    ]
  }

  @Test(
    "While the disk fails, requests respect the retry pauses and the error is shown; the service recovers within a minute",
    arguments: Trouble.all)
  func failingDisk(_ trouble: Trouble) async throws {
    let four = try FourProvidersHome()
    let plan = try FaultPlan(below: four.home.path)
    let daemon = try await RunningDaemon(four.home, [], plan.variables, life: .seconds(600))
    try await four.logIn(by: daemon)
    try await expectFewRequests(
      four, daemon, saying: trouble.word,
      begin: { try plan.set(DiskFault(number: 1, extent: .lasting, code: trouble.code)) },
      end: { try plan.set(nil) })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("While another process locks every database, requests respect the retry pauses")
  func lockedDatabases() async throws {
    let four = try FourProvidersHome()
    let daemon = try await RunningDaemon(four.home, life: .seconds(600))
    try await four.logIn(by: daemon)
    let lockers = try FourProvidersHome.accounts.map { account in
      try ProgramRun(
        "sqlite3", ["-interactive", four.database(account)], environment: four.home.environment(), input: .open,
        timeout: .seconds(600))
    }
    try await expectFewRequests(
      four, daemon, saying: "locked by another process",
      begin: {
        for locker in lockers {
          locker.type("BEGIN EXCLUSIVE; SELECT 'locked';\n")
          try #require(await locker.line(containing: "locked") != nil)
        }
      },
      end: { for locker in lockers { locker.type("ROLLBACK;\n.quit\n") } })
    for locker in lockers { #expect(await locker.end().code == 0) }
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("Deleted databases do not cause requests before the retry pauses are over")
  func removedDatabases() async throws {
    let four = try FourProvidersHome()
    let daemon = try await RunningDaemon(four.home, life: .seconds(600))
    try await four.logIn(by: daemon)
    four.forgetRequests()
    let start = BootInstant.now
    for _ in 0..<3 {
      _ = try await four.home.shell("rm -rf '\(four.home.path)/data/homeline'")
      let before = four.count(of: "twitter")
      #expect(try await eventually(within: .seconds(120)) { four.count(of: "twitter") > before })
    }
    expectPauses(four, since: start)
    #expect(
      try await eventually(within: .seconds(60)) { try four.published("twitter")["posts"].items.count == 20 })
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Prevents storing until the schedule has requested one provider twice by itself, and checks the requests and
  /// messages.
  private func expectFewRequests(
    _ four: FourProvidersHome, _ daemon: RunningDaemon, saying word: String, begin: () async throws -> Void,
    end: () throws -> Void
  ) async throws {
    try await begin()
    four.forgetRequests()
    let (start, used) = (BootInstant.now, try processorTime(of: daemon))
    let events = try await daemon.ask("refresh")
    #expect(events.contains(#""exit":74"#), "\(events)")
    let asked = four.count(of: "twitter")
    #expect(try await eventually(within: .seconds(240)) { four.count(of: "twitter") >= asked + 2 })

    expectPauses(four, since: start)
    // The cost of a response cannot be reserved, so no request goes to X.
    #expect(four.count(of: "x") == 0)
    let status = try await four.home.run("status")
    #expect(status.output.contains("last error") && status.output.contains(word), "\(status.output)")
    #expect(!status.output.contains("Rate limit"))
    #expect(daemon.said.contains(word) && !daemon.said.contains("Rate limit"), "\(daemon.said)")
    let (share, passed) = (try processorTime(of: daemon) - used, BootInstant.now - start)
    #expect(share < passed / 100, "\(share) of \(passed)")

    try end()
    #expect(
      try await eventually(within: .seconds(60)) { try await !four.home.run("status").output.contains("last error") },
      "\(daemon.said)")
    for account in FourProvidersHome.accounts {
      #expect(
        try four.published(account)["error"] == .null, "\(account): \(daemon.said)")
    }
    expectPauses(four, since: start)
    #expect(try await FilesOnDisk(home: four.home).damagedDatabases() == [])
  }

  /// Checks that scheduled requests of an account keep the shortest pause between them. The first request is the
  /// user's.
  private func expectPauses(_ four: FourProvidersHome, since start: BootInstant) {
    for (account, moments) in four.asked {
      for (one, next) in zip(moments, moments.dropFirst()) {
        #expect(next - one >= Self.shortestPause, "\(account): \(moments.map { $0 - start })")
      }
    }
  }

  /// The CPU time of the program, in user and system mode (proc_pid_stat(5)).
  private func processorTime(of daemon: RunningDaemon) throws -> Duration {
    let text = String(decoding: try File.read("/proc/\(daemon.program.process)/stat", limit: 4096), as: UTF8.self)
    let fields = text[text.lastIndex(of: ")")!...].split(separator: " ")
    let ticks = try #require(Int(fields[12])) + #require(Int(fields[13]))
    return .milliseconds(1000 * ticks / sysconf(Int32(_SC_CLK_TCK)))
  }
}

extension StorageFaultTests {
  @Test("A response that cannot be stored is published from memory and stored later without another request")
  func shownFromMemory() async throws {
    let posting = try await PostingHome(withService: true)
    let daemon = try #require(posting.daemon)
    let before = try posting.ids()
    let database = "\(posting.home.path)/data/homeline/demo/timeline.db"
    let locker = try ProgramRun(
      "sqlite3", ["-interactive", database], environment: posting.home.environment(), input: .open,
      timeout: .seconds(240))
    locker.type("BEGIN EXCLUSIVE; SELECT 'locked';\n")
    try #require(await locker.line(containing: "locked") != nil)
    posting.post(3)
    let asked = posting.served.count(of: .homeTimeline)
    #expect(try await daemon.ask("refresh").contains(#""exit":74"#))
    #expect(posting.served.count(of: .homeTimeline) == asked + 1)
    let shown = try posting.ids()
    #expect(shown.count > before.count || shown.first != before.first)
    #expect(Array(shown.dropFirst(3).prefix(5)) == Array(before.prefix(5)))
    #expect(try posting.timeline()["error"]["code"].text == "storage")
    let stored = "SELECT count(*) FROM posts WHERE id = '\(shown[0])'"
    #expect(try await sql(stored, posting) == "0")

    locker.type("ROLLBACK;\n.quit\n")
    #expect(try await eventually(within: .seconds(60)) { try await self.sql(stored, posting) == "1" })
    #expect(try await eventually { try posting.timeline()["error"] == .null })
    #expect(try posting.ids() == shown)
    #expect(posting.served.count(of: .homeTimeline) == asked + 1)
    _ = await locker.end()
    await posting.end()
  }

  private func sql(_ statement: String, _ posting: PostingHome) async throws -> String {
    let outcome = try await ProgramRun.run(
      "sqlite3", ["-readonly", "\(posting.home.path)/data/homeline/demo/timeline.db", statement],
      environment: posting.home.environment())
    return String(outcome.output.prefix { !$0.isNewline })
  }
}
