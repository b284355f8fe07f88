import Glibc
import Platform
import Sandbox
import TestSupport
import Testing

/// An installation whose provider publishes posts on demand, with a service that owns the state, or without one, so
/// that each command is the owner.
final class PostingHome: Sendable {
  let served: ServedHome
  let daemon: RunningDaemon?
  private let clock: StandingClock

  var home: RoadHome { served.home }

  /// Creates the installation and logs in all accounts.
  /// - Parameters:
  ///   - members: additional members of each account. Only the test starts refreshes.
  ///   - more: additional members of the configuration.
  ///   - variables: environment variables of the service.
  init(
    withService: Bool, accounts: [String] = ["demo"], _ members: String = "", more: String = "",
    variables: [String: String] = [:]
  ) async throws {
    let clock = StandingClock()
    var policy = ServedHome.generous
    policy.timestampTolerance = .seconds(86_400)
    served = try ServedHome(policy: policy, clock: clock.wall)
    self.clock = clock
    try Self.configure(served, accounts, members, more)
    daemon = withService ? try await RunningDaemon(served.home, [], variables) : nil
    for account in accounts {
      if let daemon { try await served.logIn(account, by: daemon) } else { try await logIn(account) }
    }
  }

  /// Logs in without a service.
  private func logIn(_ account: String) async throws {
    let login = try await WaitingLogin(home, [account])
    _ = try await PlainBrowser.onThreadOfItsOwn { try login.browser.follow(login.grant()) }
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  deinit { daemon?.program.signal(SIGKILL) }

  /// Rewrites the configuration.
  func configure(_ accounts: [String] = ["demo"], _ members: String = "", more: String = "") throws {
    try Self.configure(served, accounts, members, more)
  }

  private static func configure(_ served: ServedHome, _ accounts: [String], _ members: String, _ more: String) throws {
    let all = #""refresh_seconds": 86400"# + (members.isEmpty ? "" : ", \(members)")
    try served.configure(accounts.map { ($0, served.account(all)) }, more: more)
  }

  /// Reloads the service's configuration; without a service, the next command reads it anyway.
  func reload() async throws {
    guard let daemon else { return }
    let answer = try await daemon.ask("reload")
    try #require(answer.contains(#""event":"end","exit":0"#), "\(answer)")
  }

  /// Publishes new posts at the provider.
  func post(_ count: Int) { clock.pass(posts: count) }

  /// Runs a command that must succeed.
  @discardableResult
  func run(_ arguments: String..., input: ProgramRun.Input = .nothing) async throws -> String {
    let outcome = try await home.start(arguments, input: input).end()
    try #require(outcome.code == 0, "\(arguments): \(outcome.error)\(daemon?.said ?? "")")
    return outcome.output
  }

  /// Stops the service, if there is one.
  func end() async {
    if let daemon {
      let outcome = await daemon.stop().outcome
      #expect(outcome.code == 0, "\(daemon.said)")
    }
  }

  // MARK: Published files

  func folder(_ account: String = "demo") -> String { "\(home.path)/cache/homeline/\(account)" }
  func viewFolder(_ name: String) -> String { "\(home.path)/cache/homeline/_views/\(name)" }

  func timeline(_ account: String = "demo") throws -> JSONValue {
    try JSONValue(file: "\(folder(account))/home_timeline.json")
  }

  /// The ids of the published posts, newest first.
  func ids(_ account: String = "demo") throws -> [String] {
    try timeline(account)["posts"].items.compactMap { $0["id"].text }
  }
}
