import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// An installation with an account at each of four simulated providers, which record the requests for their timelines.
final class FourProvidersFixture: Sendable {
  let home: TestInstallation
  let twitter: SandboxServer<TwitterSandbox>
  let x: SandboxServer<XSandbox>
  let mastodon: SandboxServer<MastodonSandbox>
  let weibo: SandboxServer<WeiboSandbox>
  private let record: Locked<[String: [BootInstant]]>

  /// Each account is named after its provider and has the shortest interval that the provider allows.
  static let accounts = ["twitter", "x", "mastodon", "weibo"]

  init() throws {
    home = try TestInstallation()
    let requests = Locked<[String: [BootInstant]]>([:])
    record = requests
    let count = { (account: String) -> @Sendable (RequestRecord) -> Void in
      { record in
        guard record.path.contains("timeline") else { return }
        requests.withLock { $0[account, default: []].append(.now) }
      }
    }
    var policy = TwitterFixture.unlimited
    policy.timeline = .forTests(at: WallClock.system.now)
    twitter = try SandboxServer(stateFolder: "\(home.path)/provider", policy: policy, onRequest: count("twitter"))
    let redirects = ["http://127.0.0.1:1/callback"]
    x = try SandboxServer(XSandbox(redirects: redirects, policy: policy), onRequest: count("x"))
    x.with { $0.oauth2.policy.redirectMatch = .anyLoopbackPort }
    mastodon = try SandboxServer(
      MastodonSandbox(.akkoma, timeline: policy.timeline), onRequest: count("mastodon"))
    weibo = try SandboxServer(
      WeiboSandbox(redirects: redirects, timeline: policy.timeline), onRequest: count("weibo"))
    weibo.with {
      $0.tokens.server.policy.redirectMatch = .anyLoopbackPort
      $0.quirks.requestsPerDay = 100_000
    }
    try configure()
  }

  deinit {
    twitter.stop()
    x.stop()
    mastodon.stop()
    weibo.stop()
  }

  private func configure() throws {
    let posts = #""keep_posts": 20, "first_fill_posts": 20"#
    func endpoints(_ base: String, _ paths: KeyValuePairs<String, String>) -> String {
      paths.map { #""\#($0)": "\#(base + $1)""# }.joined(separator: ", ")
    }
    let twitterEndpoints = endpoints(
      twitter.baseURL,
      [
        "request_token": TwitterRoute.requestToken.path, "authorize": TwitterRoute.authorize.path,
        "access_token": TwitterRoute.accessToken.path, "verify_credentials": TwitterRoute.verifyCredentials.path,
        "home_timeline": TwitterRoute.homeTimeline.path,
      ])
    let xEndpoints = endpoints(
      x.baseURL,
      [
        "authorize": XRoute.authorizePage.path, "token": XRoute.token.path, "users_me": "/2/users/me",
        "home_timeline": "/2/users/{id}/timelines/reverse_chronological",
      ])
    let weiboEndpoints = endpoints(
      weibo.baseURL,
      [
        "authorize": WeiboRoute.authorize.path, "token": WeiboRoute.token.path,
        "token_info": WeiboRoute.tokenInfo.path, "users_show": WeiboRoute.usersShow.path,
        "home_timeline": WeiboRoute.homeTimeline.path,
      ])
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": {
        "twitter": { "provider": "twitter", "consumer_key": "sandbox", "consumer_secret": "\(TwitterFixture.consumerSecret)",
          "endpoints": { \(twitterEndpoints) }, "refresh_seconds": 15, \(posts) },
        "x": { "provider": "x", "client_id": "\(XSandbox.publicClientID)",
          "endpoints": { \(xEndpoints) }, "refresh_seconds": 60, \(posts) },
        "mastodon": { "provider": "mastodon", "server": "\(mastodon.baseURL)", "refresh_seconds": 30, \(posts) },
        "weibo": { "provider": "weibo", "client_id": "\(WeiboSandbox.clientID)",
          "client_secret": "\(WeiboSandbox.clientSecret)", "endpoints": { \(weiboEndpoints) }, \(posts) } } }
      """)
  }

  /// Authorises all accounts through the service, with the test as the browser, and waits for their first refreshes.
  func logIn(by daemon: RunningDaemon) async throws {
    for account in Self.accounts { try await daemon.logIn(account) }
  }

  /// The times of the timeline requests for each account.
  var requests: [String: [BootInstant]] { record.withLock { $0 } }

  func count(of account: String) -> Int { requests[account]?.count ?? 0 }

  func forgetRequests() { record.withLock { $0 = [:] } }
}
