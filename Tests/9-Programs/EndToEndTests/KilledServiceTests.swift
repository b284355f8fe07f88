import Dispatch
import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// A service killed with SIGKILL, as by the kernel's out-of-memory killer.
@Suite("A service killed at any moment") struct KilledServiceTests {
  /// The moment when the service is killed.
  private enum Phase: CaseIterable {
    case starting, asking, exchanging, confirming, keeping, firstPage, secondPage, thirdPage, fourthPage, any

    /// The service is killed after this request, and this occurrence of it.
    var request: (route: TwitterRoute, count: Int)? {
      switch self {
      case .starting, .any: nil
      case .asking: (.requestToken, 1)
      case .exchanging: (.accessToken, 1)
      case .confirming, .keeping: (.verifyCredentials, 1)
      case .firstPage: (.homeTimeline, 1)
      case .secondPage: (.homeTimeline, 2)
      case .thirdPage: (.homeTimeline, 3)
      case .fourthPage: (.homeTimeline, 4)
      }
    }

    /// Whether the round logs in even if there is a token.
    var isLogin: Bool { [.asking, .exchanging, .confirming, .keeping, .any].contains(self) }
  }

  /// Kills a program shortly after a planned request, or on demand. Without a pause, the kill precedes the response.
  private final class Executioner: Sendable {
    private let queue = DispatchQueue(label: "executioner")
    private let plan = Locked<(route: TwitterRoute, left: Int, microseconds: UInt32)?>(nil)
    private let victim = Locked<ProgramRun?>(nil)

    func plan(_ request: (route: TwitterRoute, count: Int)?, after microseconds: UInt32) {
      victim.withLock { $0 = nil }
      plan.withLock { $0 = request.map { ($0.route, $0.count, microseconds) } }
    }

    func take(_ program: ProgramRun) { victim.withLock { $0 = program } }

    func see(_ record: RequestRecord) {
      let pause = plan.withLock { plan -> UInt32? in
        guard let planned = plan, record.path.hasPrefix(planned.route.path) else { return nil }
        plan?.left -= 1
        return planned.left == 1 ? planned.microseconds : nil
      }
      guard let pause else { return }
      if pause == 0 { victim.withLock { $0 }?.signal(SIGKILL) } else { end(after: pause) }
    }

    func end(after microseconds: UInt32) {
      // The program of this round, because the next round may have begun by the end of the pause.
      let program = victim.withLock { $0 }
      queue.async {
        usleep(microseconds)
        program?.signal(SIGKILL)
      }
    }
  }

  @Test("A hundred kills during logins and refreshes lose no token or post, and leave no stale files")
  func killed() async throws {
    var generator = SeededGenerator(seed: 20_261_121)
    let executioner = Executioner()
    let accounts = (0..<10).map { "account-\($0)" }
    let members = #""refresh_seconds": 15, "keep_posts": 900, "first_fill_posts": 800"#
    let fixture = try TwitterFixture(accounts: accounts, members) { executioner.see($0) }
    var reached: [String: Int] = [:]
    for account in accounts {
      for phase in Phase.allCases {
        // The work after a request takes some milliseconds, and starting a program a few hundred.
        let most: UInt32 = phase.request == nil ? 300_000 : phase == .keeping ? 40_000 : 20_000
        var (pause, request) = (UInt32.random(in: 1...most, using: &generator), phase.request)
        // On a slow machine, every pause could end before the token is stored, or every pause after it.
        if account == accounts[0], phase == .asking { pause = 0 }
        if account == accounts[0], phase == .keeping { request = nil }
        executioner.plan(request, after: pause)
        let program = try fixture.home.start(["daemon"])
        executioner.take(program)
        if phase == .starting {
          executioner.end(after: pause / 3)
        } else if await program.line(containing: " is up: ", on: .error) != nil {
          try checkStart(fixture, program)
          if phase == .any { executioner.end(after: pause) }
          let daemon = try RunningDaemon(fixture.home, of: program)
          await work(fixture, daemon, account, logsIn: phase.isLogin || !File.exists(fixture.home.token(of: account)))
          // If the service is still running at the end of the round, kill it now.
          executioner.end(after: 20_000)
        }
        let outcome = await program.end()
        try #require(outcome.code == 128 + SIGKILL, "\(outcome.error)")
        try checkEnd(fixture, outcome)
        if File.exists(fixture.home.token(of: account)) { reached["\(phase)", default: 0] += 1 }
      }
    }
    // Some kills must have happened before the token was stored, and some after.
    #expect(reached["asking", default: 0] < accounts.count && reached["keeping", default: 0] > 0, "\(reached)")
    try await checkPosts(fixture, accounts + ["fresh"], members)
  }

  /// Logs in or refreshes. The service may be killed in the meantime.
  private func work(_ fixture: TwitterFixture, _ daemon: RunningDaemon, _ account: String, logsIn: Bool) async {
    if logsIn {
      _ = try? await daemon.attemptLogin(account).events
    } else {
      _ = try? await daemon.request("refresh", #"{"accounts":["\#(account)"]}"#)
    }
  }

  /// Checks the state as soon as the service is running again.
  private func checkStart(_ fixture: TwitterFixture, _ program: ProgramRun) throws {
    #expect(try fixture.home.temporaryFiles().filter { !$0.contains("-\(program.process)") } == [])
  }

  /// Checks the state that the killed service left.
  private func checkEnd(_ fixture: TwitterFixture, _ outcome: ProgramRun.Outcome) throws {
    for word in ["damaged", "corrupt", "cannot", "control socket is"] { #expect(!outcome.error.contains(word)) }
    let folder = "\(fixture.home.path)/state/homeline"
    // The kill may have preceded the first file.
    guard File.exists(folder) else { return }
    #expect(OwnerLockFile.isFree(fixture.home.lock))
    for account in try Folder.names(in: folder) where File.exists(fixture.home.token(of: account)) {
      let token = try JSONValue(file: fixture.home.token(of: account))
      #expect(token["secret"].text?.isEmpty == false)
    }
    guard File.exists("\(fixture.home.path)/cache/homeline") else { return }
    for account in try Folder.names(in: "\(fixture.home.path)/cache/homeline")
    where File.exists(fixture.home.timeline(of: account)) {
      #expect(try JSONValue(file: fixture.home.timeline(of: account))["account"].text == account)
    }
  }

  /// Checks that every account has each post that the provider still has, exactly once.
  private func checkPosts(_ fixture: TwitterFixture, _ accounts: [String], _ members: String) async throws {
    try fixture.configure(accounts + ["late"], members)
    let daemon = try await RunningDaemon(fixture.home)
    // An undisturbed login shows which posts the provider has. Each post that arrives afterwards displaces the oldest of its 800 posts, so
    // a second login at the end shows which ones it had all the time.
    try await daemon.logIn("fresh")
    let first = try ids(fixture, "fresh")
    #expect(first.count >= 790)
    var stored: [String: [String]] = [:]
    for account in accounts {
      if !File.exists(fixture.home.token(of: account)) { try await daemon.logIn(account) }
      let events = try await daemon.request("refresh", #"{"accounts":["\#(account)"]}"#)
      #expect(events.contains(#""event":"end","exit":0"#), "\(events)")
      let known = try ids(fixture, account)
      #expect(Set(known).count == known.count)
      stored[account] = known
      #expect(try JSONValue(file: fixture.home.timeline(of: account))["gaps"] == .array([]))
    }
    try await daemon.logIn("late")
    let offered = Set(first).intersection(try ids(fixture, "late"))
    #expect(offered.count >= 700)
    for (account, known) in stored { #expect(offered.subtracting(known) == [], "\(account) misses posts") }
    let (outcome, _) = await daemon.stop()
    #expect(outcome.code == 0)
    #expect(try fixture.home.temporaryFiles() == [])
    #expect(!File.exists(daemon.socket))
  }

  private func ids(_ fixture: TwitterFixture, _ account: String) throws -> [String] {
    try JSONValue(file: fixture.home.timeline(of: account))["posts"].items.compactMap { $0["id"].text }
  }
}
