import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// An installation with accounts at a simulated Twitter in the test process. The test controls the provider's faults
/// and counts the requests.
final class TwitterFixture: Sendable {
  let home: TestInstallation
  let sandbox: SandboxServer<TwitterSandbox>
  private let requests: Locked<[RequestRecord]>

  /// - Parameters:
  ///   - accounts: the accounts' names.
  ///   - members: additional members of each account.
  ///   - policy: the provider's policy. By default, its rate limit is practically unlimited.
  ///   - clock: the provider's clock.
  ///   - onRequest: called on a queue of the provider before it responds.
  init(
    accounts: [String] = ["demo"], _ members: String = #""refresh_seconds": 15"#,
    callback: String = #""port": 0"#, policy: SandboxPolicy? = nil, clock: WallClock = .system,
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) throws {
    home = try TestInstallation()
    let requests = Locked<[RequestRecord]>([])
    self.requests = requests
    var policy = policy ?? Self.unlimited
    policy.timeline = .forTests(at: clock.now)
    sandbox = try SandboxServer(stateFolder: "\(home.path)/provider", policy: policy, clock: clock) { record in
      requests.withLock { $0.append(record) }
      onRequest(record)
    }
    try configure(accounts, members, callback: callback)
  }

  deinit { sandbox.stop() }

  /// A policy without a practical rate limit.
  static var unlimited: SandboxPolicy {
    var policy = SandboxPolicy()
    policy.rateLimit = 100_000
    return policy
  }

  static let consumerSecret = "open+sesame/&=%"

  /// Rewrites the configuration.
  func configure(_ accounts: [String], _ members: String, callback: String = #""port": 0"#) throws {
    try configure(accounts.map { ($0, account(members)) }, callback: callback)
  }

  /// Rewrites the configuration with the given accounts.
  /// - Parameter more: additional members at the top level.
  func configure(
    _ accounts: [(name: String, text: String)], callback: String = #""port": 0"#, more: String = ""
  ) throws {
    let more = more.isEmpty ? "" : ", \(more)"
    let accounts = accounts.map { #""\#($0.name)": \#($0.text)"# }.joined(separator: ", ")
    try home.configure(
      #"{ "callback": { \#(callback) }, "sandbox": { "port": 0 }, "accounts": { \#(accounts) }\#(more) }"#)
  }

  /// Returns the configuration of an account of this provider.
  /// - Parameter elsewhere: URLs that replace the provider's own, by the endpoint's name in the configuration.
  func account(
    _ members: String, secret: String = TwitterFixture.consumerSecret, elsewhere: [String: String] = [:]
  ) -> String {
    let routes: [(String, TwitterRoute)] = [
      ("request_token", .requestToken), ("authorize", .authorize), ("access_token", .accessToken),
      ("verify_credentials", .verifyCredentials), ("home_timeline", .homeTimeline),
      ("invalidate_token", .invalidateToken),
    ]
    let endpoints = routes.map { #""\#($0)": "\#(elsewhere[$0] ?? sandbox.address(of: $1))""# }
      .joined(separator: ", ")
    return """
      { "provider": "twitter", "consumer_key": "sandbox", "consumer_secret": "\(secret)",
        "endpoints": { \(endpoints) }\(members.isEmpty ? "" : ", \(members)") }
      """
  }

  /// The number of all requests that the provider has received.
  var requestCount: Int { requests.withLock { $0.count } }

  /// Returns the number of requests so far to a route.
  func count(of route: TwitterRoute) -> Int {
    requests.withLock { $0.count { $0.path.hasPrefix(route.path) } }
  }

  /// Waits until the provider has received more than `count` requests.
  func receives(_ route: TwitterRoute, moreThan count: Int) async throws -> Bool {
    try await eventually { self.count(of: route) > count }
  }
}

extension SandboxTimeline {
  /// Returns a timeline that has the same newest posts, and the same time until the next post, whenever the test runs.
  /// - Parameter now: the provider's time when the test begins.
  static func forTests(at now: Timestamp) -> SandboxTimeline {
    // The timeline begins in the middle of a slot: each slot adds one post, so the latest has just appeared and the
    // next is as far away as possible.
    SandboxTimeline(start: now - .milliseconds(PostCalendar.slot * 10_000 + PostCalendar.slot / 2))
  }
}

/// A provider's clock that advances only on request. The sandbox derives its posts from the time, so the test controls
/// how many posts are new.
final class ManualClock: Sendable {
  /// The start of all such clocks, early enough that no post is in the future. All installations share it and therefore
  /// see the same posts.
  private static let start = WallClock.system.now - .seconds(6 * 3600)

  private let time = Locked(ManualClock.start)

  var wall: WallClock { WallClock { [time] in time.withLock { $0 } } }

  /// Advances the clock until this many new posts have appeared in the test timeline.
  func advance(posts: Int) { time.withLock { $0 = $0 + .milliseconds(PostCalendar.slot * Int64(posts)) } }
}
