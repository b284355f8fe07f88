import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// An installation whose provider publishes new posts on request. Either a service owns the state, or each command in
/// turn does.
final class PostingFixture: Sendable {
  let twitter: TwitterFixture
  let daemon: RunningDaemon?
  private let clock: ManualClock

  var home: TestInstallation { twitter.home }

  /// Creates the installation and logs in all accounts.
  /// - Parameters:
  ///   - members: additional members of each account. Accounts are refreshed only on request.
  ///   - more: additional members of the configuration.
  ///   - variables: environment variables for the service.
  init(
    withService: Bool, accounts: [String] = ["demo"], _ members: String = "", more: String = "",
    variables: [String: String] = [:]
  ) async throws {
    let clock = ManualClock()
    var policy = TwitterFixture.unlimited
    policy.timestampTolerance = .seconds(86_400)
    twitter = try TwitterFixture(policy: policy, clock: clock.wall)
    self.clock = clock
    try Self.configure(twitter, accounts, members, more)
    daemon = withService ? try await RunningDaemon(twitter.home, [], variables) : nil
    for account in accounts {
      if let daemon { try await daemon.logIn(account) } else { try await home.logIn(account) }
    }
  }

  deinit { daemon?.program.signal(SIGKILL) }

  /// Rewrites the configuration.
  func configure(_ accounts: [String] = ["demo"], _ members: String = "", more: String = "") throws {
    try Self.configure(twitter, accounts, members, more)
  }

  private static func configure(
    _ twitter: TwitterFixture, _ accounts: [String], _ members: String, _ more: String
  ) throws {
    let all = #""refresh_seconds": 86400"# + (members.isEmpty ? "" : ", \(members)")
    try twitter.configure(accounts.map { ($0, twitter.account(all)) }, more: more)
  }

  /// Makes the service reload the configuration. Without a service, the next command reads it anyway.
  func reload() async throws { try await daemon?.reload() }

  /// Adds new posts on the provider.
  func post(_ count: Int) { clock.advance(posts: count) }

  /// Runs a command that must succeed.
  @discardableResult
  func run(_ arguments: String..., input: ProgramRun.Input = .nothing) async throws -> String {
    let outcome = try await home.start(arguments, input: input).end()
    try #require(outcome.code == 0, "\(arguments): \(outcome.error)\(daemon?.log ?? "")")
    return outcome.output
  }

  /// Stops the service if there is one.
  func end() async {
    if let daemon {
      let outcome = await daemon.stop().outcome
      #expect(outcome.code == 0, "\(daemon.log)")
    }
  }
}
