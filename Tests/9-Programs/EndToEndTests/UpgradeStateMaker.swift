import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// Creates the state archive for ``UpgradeTests`` with the current programs (`scripts/make-upgrade-state`).
///
/// The archive contains an account of each kind, at providers simulated in this process.
final class UpgradeStateMaker: Sendable {
  /// The lifetime of access tokens: long enough to create the state, but always over when the archive is opened, so
  /// that the tokens then need renewal.
  private static let accessLife = Duration.seconds(180)

  let home: TestInstallation
  private let clock = ManualClock()
  private let blue: SandboxServer<TwitterSandbox>
  private let fedi: SandboxServer<MastodonSandbox>
  private let bird: SandboxServer<XSandbox>
  private let wei: SandboxServer<WeiboSandbox>

  init() throws {
    home = try TestInstallation()
    // The timeline has about twenty posts, so that the state stays small.
    let timeline = SandboxTimeline(
      start: clock.wall.now - .milliseconds(PostCalendar.slot * 20 + PostCalendar.slot / 2))
    var policy = SandboxPolicy()
    policy.timeline = timeline
    policy.timestampTolerance = .seconds(86_400)
    let redirect = "http://127.0.0.1:1/callback"
    blue = try SandboxServer(stateFolder: "\(home.path)/provider", policy: policy, clock: clock.wall)
    fedi = try SandboxServer(MastodonSandbox(timeline: timeline), clock: clock.wall)
    bird = try SandboxServer(XSandbox(redirects: [redirect], policy: policy), clock: clock.wall)
    wei = try SandboxServer(WeiboSandbox(redirects: [redirect], timeline: timeline), clock: clock.wall)
    fedi.with {
      // Current servers issue tokens that do not expire. These do, so that the state has a token to renew.
      $0.oauth.policy.accessLife = Self.accessLife
      $0.oauth.policy.refreshTokens = .always
      $0.oauth.policy.rotation = .rotating
    }
    bird.with {
      $0.oauth2.policy.redirectMatch = .anyLoopbackPort
      $0.oauth2.policy.accessLife = Self.accessLife
    }
    wei.with {
      $0.tokens.server.policy.redirectMatch = .anyLoopbackPort
      // The token lives long, as those for an application's own developers do: Weibo does not renew tokens, and the
      // archive is used for years.
      $0.tokens.server.policy.accessLife = .seconds(20 * 365 * 86_400)
    }
  }

  deinit {
    blue.stop()
    fedi.stop()
    bird.stop()
    wei.stop()
  }

  /// Creates the state in the installation.
  func make() async throws {
    try configure()
    let daemon = try await RunningDaemon(home)
    for account in ["demo", "blue", "fedi", "bird", "wei", "key"] { try await home.logIn(account, "--no-browser") }
    // More new posts than the budget of `bird` can fetch leave a gap.
    clock.advance(posts: 42)
    for account in ["fedi", "bird", "wei"] { try await run("refresh", account) }
    try #require(try timeline(of: "bird", "gaps").count == 1)
    // Add imported posts, a purged post and a read mark.
    let lines = ImportCommandTests.lines(1...3).joined(separator: "\n") + "\n"
    try home.write(lines, to: "\(home.path)/posts.jsonl")
    try await run("import", "\(home.path)/posts.jsonl", "--account", "blue")
    let ids = try timeline(of: "blue", "posts").map { try #require($0["id"].text) }
    try await run("purge", "--post", ids[2], "--account", "blue")
    try await run("read", "blue", "--up-to", ids[1])
    let pictures = "\(home.path)/cache/homeline/_media"
    try #require(try await eventually { try home.files(below: pictures).contains { $0.hasSuffix(".png") } })
    try #require(try await daemon.becomesIdle())
    try #require(await daemon.stop().outcome.code == 0, "\(daemon.log)")
    // Add each account's posts, as this version exports them.
    for account in EarlierVersionState.timelines {
      try home.write(try await run("export", account), to: "\(home.path)/expected/\(account).jsonl")
    }
    let kept = try home.files(below: pictures).compactMap { $0.split(separator: "/").last }.filter {
      $0.hasSuffix(".png")
    }
    try home.write(
      #"{"purged": "\#(ids[2])", "read": "\#(ids[1])", "pictures": [\#(kept.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
        + "\n", to: "\(home.path)/expected/marks.json")
    let ports = [("blue", blue.port), ("fedi", fedi.port), ("bird", bird.port), ("wei", wei.port)]
    let members = ports.map { #""\#($0.0)": \#($0.1)"# }.joined(separator: ", ")
    try home.write("{ \(members) }\n", to: "\(home.path)/expected/ports.json")
  }

  /// Packs the state, without the files of running processes.
  func pack(into archive: String) async throws {
    let script = """
      cd "$0"
      rm -f state/homeline/lock state/homeline/control.socket
      # Each database has been closed: an empty log, or its index, says nothing.
      test -z "$(find data cache -name '*-wal' -size +0)"
      find data cache -name '*-wal' -delete
      find data cache -name '*-shm' -delete
      tar --create --xz --file "$1" --owner 0 --group 0 --sort name config state data cache provider expected
      """
    let outcome = try await ProgramRun.run(
      "bash", ["-ec", script, home.path, archive], environment: ["PATH": "/usr/bin:/bin", "XZ_OPT": "-9"])
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  private func configure() throws {
    func endpoints(_ base: String, _ paths: [(String, String)]) -> String {
      paths.map { #""\#($0.0)": "\#(base)\#($0.1)""# }.joined(separator: ", ")
    }
    let v1 = endpoints(
      blue.baseURL,
      [
        ("request_token", TwitterRoute.requestToken.path), ("authorize", TwitterRoute.authorize.path),
        ("access_token", TwitterRoute.accessToken.path),
        ("verify_credentials", TwitterRoute.verifyCredentials.path),
        ("home_timeline", TwitterRoute.homeTimeline.path), ("invalidate_token", TwitterRoute.invalidateToken.path),
      ])
    let v2 = endpoints(
      bird.baseURL,
      [
        ("authorize", XRoute.authorizePage.path), ("token", XRoute.token.path), ("revoke", XRoute.revocation.path),
        ("users_me", "/2/users/me"), ("home_timeline", "/2/users/{id}/timelines/reverse_chronological"),
      ])
    let weibo = endpoints(
      wei.baseURL,
      [
        ("authorize", WeiboRoute.authorize.path), ("token", WeiboRoute.token.path),
        ("token_info", WeiboRoute.tokenInfo.path), ("users_show", WeiboRoute.usersShow.path),
        ("home_timeline", WeiboRoute.homeTimeline.path), ("revoke", WeiboRoute.revocation.path),
      ])
    let tokens = endpoints(bird.baseURL, [("authorize", XRoute.authorizePage.path), ("token", XRoute.token.path)])
    let few = #""refresh_seconds": 86400, "keep_posts": 30, "first_fill_posts": 6"#
    try home.configure(
      """
      {
        "callback": { "host": "127.0.0.1", "port": 0, "path": "/callback" },
        "publish": ["jsonl", "txt"],
        "sandbox": { "port": 0 },
        "media": { "megabytes": 5 },
        "on_new_posts": null,
        "notify": false,
        "views": {
          "all": { "accounts": ["demo", "blue", "bird"], "publish": ["atom"], "posts": 10, "mute": { "words": ["spoiler"] } }
        },
        "accounts": {
          "demo": {
            "provider": "sandbox", "publish": ["html"], "refresh_seconds": 86400, "keep_posts": 4, "first_fill_posts": 4
          },
          "blue": {
            "provider": "twitter", "consumer_key": "sandbox", "consumer_secret": "open+sesame/&=%",
            "signature_method": "HMAC-SHA256", "keep_days": 36500, "keep_archive": true,
            "on_new_posts": ["true"], "notify": false, \(few),
            "endpoints": { \(v1) }
          },
          "fedi": { "provider": "mastodon", "server": "\(fedi.baseURL)", \(few) },
          "bird": {
            "provider": "x", "client_id": "\(XSandbox.publicClientID)", \(few),
            "budget": { "posts_per_day": 60, "usd_per_day": 5, "usd_per_month": null },
            "endpoints": { \(v2) }
          },
          "wei": {
            "provider": "weibo", "client_id": "\(WeiboSandbox.clientID)",
            "client_secret": "\(WeiboSandbox.clientSecret)", \(few),
            "endpoints": { \(weibo) }
          },
          "key": {
            "provider": "oauth2", "client_id": "\(XSandbox.publicClientID)",
            "scopes": ["tweet.read", "users.read", "offline.access"],
            "endpoints": { \(tokens) }
          }
        }
      }
      """)
  }

  @discardableResult
  private func run(_ arguments: String...) async throws -> String {
    let outcome = try await home.start(arguments).end()
    try #require(outcome.code == 0, "\(arguments): \(outcome.error)")
    return outcome.output
  }

  private func timeline(of account: String, _ member: String) throws -> [JSONValue] {
    try JSONValue(file: "\(home.path)/cache/homeline/\(account)/home_timeline.json")[member].items
  }
}
