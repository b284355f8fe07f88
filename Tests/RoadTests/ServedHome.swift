import CivilTime
import Platform
import Sandbox
import TestSupport
import Testing

/// An installation whose accounts belong to a simulated Twitter in the test process, whose faults the test controls
/// and whose requests it counts.
final class ServedHome: Sendable {
  let home: RoadHome
  let sandbox: SandboxServer
  private let asked: Locked<[SandboxRecord]>

  /// - Parameters:
  ///   - accounts: the accounts' names.
  ///   - members: additional members of each account.
  ///   - policy: the provider's policy; the default has no practical rate limit.
  ///   - clock: the provider's clock.
  ///   - onRequest: called on a queue of the provider before it responds.
  init(
    accounts: [String] = ["demo"], _ members: String = #""refresh_seconds": 15"#,
    callback: String = #""port": 0"#, policy: SandboxPolicy? = nil, clock: WallClock = .system,
    onRequest: @escaping @Sendable (SandboxRecord) -> Void = { _ in }
  ) throws {
    home = try RoadHome()
    let asked = Locked<[SandboxRecord]>([])
    self.asked = asked
    var policy = policy ?? Self.generous
    policy.timeline = .ofTests(at: clock.now)
    sandbox = try SandboxServer(stateFolder: "\(home.path)/provider", policy: policy, clock: clock) { record in
      asked.withLock { $0.append(record) }
      onRequest(record)
    }
    try configure(accounts, members, callback: callback)
  }

  deinit { sandbox.stop() }

  static var generous: SandboxPolicy {
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
    try home.write(
      #"{ "callback": { \#(callback) }, "sandbox": { "port": 0 }, "accounts": { \#(accounts) }\#(more) }"#,
      to: home.configuration)
  }

  /// The configuration of an account of this provider.
  /// - Parameter elsewhere: URLs that replace the provider's own, by their names in the configuration.
  func account(
    _ members: String, secret: String = ServedHome.consumerSecret, elsewhere: [String: String] = [:]
  ) -> String {
    let routes: [(String, SandboxRoute)] = [
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

  /// The number of requests so far, by route.
  func count(of route: SandboxRoute) -> Int {
    asked.withLock { $0.count { $0.path.hasPrefix(route.path) } }
  }

  /// Waits until the provider has received more than `count` requests.
  func asked(_ route: SandboxRoute, moreThan count: Int) async throws -> Bool {
    try await eventually { self.count(of: route) > count }
  }

  // MARK: Files

  func token(of account: String) -> String { "\(home.path)/state/homeline/\(account)/token.json" }
  func timeline(of account: String) -> String { "\(home.path)/cache/homeline/\(account)/home_timeline.json" }

  /// The temporary files in all folders of homeline.
  func temporaryFiles() throws -> [String] {
    try ["state", "cache", "data"].flatMap { folder in
      try home.files(below: "\(home.path)/\(folder)").filter { $0.contains(".new-") || $0.contains(".reserved-") }
    }
  }

  // MARK: Logging in

  /// Authorises an account through the service, with the test as the browser, and waits for its first refresh.
  func logIn(_ account: String = "demo", by daemon: RunningDaemon) async throws {
    let events = try await events(ofLogin: account, by: daemon)
    try #require(events.contains(#""event":"end","exit":0"#), "\(events) \(daemon.said)")
  }

  /// Logs in through the service without checking the outcome.
  /// - Returns: the service's events.
  func events(ofLogin account: String, by daemon: RunningDaemon) async throws -> String {
    let (stream, address) = try await daemon.beginLogin(account)
    return try await PlainBrowser.onThreadOfItsOwn {
      let browser = PlainBrowser()
      _ = try browser.follow(browser.grant(at: address))
      return String(decoding: try stream.receiveToEnd(), as: UTF8.self)
    }
  }
}
