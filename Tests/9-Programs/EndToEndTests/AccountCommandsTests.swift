import Bytes
import Cryptography
import Folders
import HomelineOAuth
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// `homeline sign --account` and `homeline status`, which read an account's stored files.
@Suite struct AccountCommandsTests {
  private let home = TemporaryFolder()
  private let layout: FileLayout

  init() throws {
    layout = FileLayout(try #require(BaseDirectories(environment: ProgramRun.environment(home: home.path))))
  }

  private func homeline(_ arguments: String...) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      ProgramRun.product("homeline"), arguments, environment: ProgramRun.environment(home: home.path))
  }

  private static let noon = Timestamp(seconds: 1_795_176_000)
  private static let sean = AccountIdentity(
    server: "https://api.twitter.com", user: User(id: "38895958", screenName: "theSeanCook", name: "Sean Cook"))

  private func configure(_ text: String) throws {
    try Folder.create("\(home.path)/config/homeline")
    try AtomicFile.write(Array(text.utf8), to: layout.configFile, .replaced)
  }

  private func configureBird(secret: String, more: String = "") throws {
    try configure(
      #"{"accounts": {"bird": {"provider": "twitter", "consumer_key": "ck", "consumer_secret": \#(secret)\#(more)}}}"#)
  }

  private func authorise(_ account: String) throws {
    let store = TokenStore(layout.files(of: account))
    let token = StoredToken(
      provider: "twitter", identity: Self.sean,
      grant: .oauth1(TokenCredentials(identifier: "at", secret: Secret("t0ken-s3cret"))), authorisedAt: Self.noon)
    try store.keep(token, at: Self.noon)
  }

  private func remember(_ account: String, _ state: AccountState) throws {
    let database = try AccountDatabase.open(layout.files(of: account), at: Self.noon)
    try database.update { $0 = state }
    database.close()
  }

  // MARK: sign --account

  private let request = ["sign", "GET", "https://example.org/a?b=c", "--nonce", "n", "--timestamp", "1"]

  @Test(
    "`homeline sign --account` prints the same header as `homeline sign` with the account's keys in the environment"
  )
  func sign() async throws {
    try configureBird(secret: #""c0nsumer-s3cret""#, more: #", "signature_method": "HMAC-SHA256""#)
    try authorise("bird")
    let account = try await homeline(
      "sign", "GET", "https://example.org/a?b=c", "--nonce", "n", "--timestamp", "1", "--account", "bird")
    let variables = [
      "HOMELINE_CONSUMER_KEY": "ck", "HOMELINE_CONSUMER_SECRET": "c0nsumer-s3cret", "HOMELINE_TOKEN": "at",
      "HOMELINE_TOKEN_SECRET": "t0ken-s3cret",
    ]
    let expected = try await ProgramRun.run(
      ProgramRun.product("homeline"), request + ["--signature-method", "HMAC-SHA256"],
      environment: ProgramRun.environment(home: home.path, variables))
    #expect(account.output == expected.output)
    #expect(account.output.contains(#"oauth_token="at""#))
    #expect(account.code == 0)
  }

  @Test(
    "`homeline sign --account` reads the account's secret from the configured file or command",
    arguments: [false, true])
  func secrets(byCommand: Bool) async throws {
    try configureBird(
      secret: byCommand ? #"{"command": ["echo", "c0nsumer-s3cret"]}"# : #"{"file": "~/bird.secret"}"#)
    try AtomicFile.write(Array("c0nsumer-s3cret\n".utf8), to: "\(home.path)/bird.secret", .replaced)
    try authorise("bird")
    let outcome = try await homeline("sign", "GET", "https://example.org/", "--account", "bird", "--explain")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("signing key: <consumer secret>&<token secret>\n"))
    #expect(!(outcome.output + outcome.error).contains("s3cret"))
  }

  @Test("If an account cannot sign, `homeline sign` reports what is missing")
  func cannotSign() async throws {
    try configureBird(secret: #""s""#)
    let unauthorised = try await homeline("sign", "GET", "https://example.org/", "--account", "bird")
    #expect(unauthorised.error == "homeline: bird is not authorised. To authorise it: homeline login bird\n")
    #expect(unauthorised.code == 77)
    let unknown = try await homeline("sign", "GET", "https://example.org/", "--account", "brd")
    #expect(unknown.error == "homeline: there is no account \"brd\"; did you mean bird? (accounts: bird)\n")
    #expect(unknown.code == 64)
    try configure(#"{"accounts": {"demo": {"provider": "sandbox"}}}"#)
    #expect(try await homeline("sign", "GET", "https://example.org/", "--account", "demo").code == 64)
    try configure("{")
    let broken = try await homeline("sign", "GET", "https://example.org/", "--account", "demo")
    #expect(broken.code == 78)
    #expect(broken.error.contains("\(layout.configFile):1:2: "))
  }

  // MARK: status

  private static let state = AccountState(
    identity: sean, rateLimit: RateLimit(limit: 15, remaining: 3, reset: Timestamp(seconds: 32_000_000_000)),
    timelines: [
      .home: TimelineState(
        refreshedAt: noon, nextRefreshAt: noon + .seconds(90), staleSince: noon,
        problem: Problem(code: .rateLimited, message: "Too many\u{1b}[2J requests.", retryAt: noon + .seconds(900)))
    ])

  @Test(
    "Without a service, `homeline status` prints each account's stored state and reports that no service is running")
  func status() async throws {
    try configure(
      """
      {"accounts": {"cat": {"provider": "sandbox"},
        "bird": {"provider": "twitter", "enabled": false, "consumer_key": "k", "consumer_secret": "s"}}}
      """)
    try authorise("bird")
    try remember("bird", Self.state)
    try authorise("gone")
    let outcome = try await homeline("status", "-v", "--all")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines.filter { $0.hasSuffix(")") && !$0.hasPrefix(" ") } == [
        "cat (sandbox)", "bird (twitter, not enabled)", "gone (no longer in the configuration)",
      ])
    for line in [
      "  authorised    no; to authorise it: homeline login cat", "  last refresh  never",
      "  next refresh  none scheduled",
      "  authorised    as Sean Cook @theSeanCook since 2026-11-20 12:00",
      "  last error    rate-limited: Too many requests.; retry after 2026-11-20 12:15",
      "  login         OAuth 1.0a: the token is valid until it is revoked",
      "  limit         3 of 15 left until 2984-01-15 08:53",
      "  timeline      \(layout.files(of: "bird").timeline)",
    ] { #expect(lines.contains(line), "\(line) is missing in:\n\(outcome.output)") }
    #expect(lines.contains { $0.hasPrefix("  next refresh  2026-11-20 12:01, ") }, "\(outcome.output)")
    #expect(outcome.error.hasSuffix("homeline: no process is using the accounts; showing the state of the files\n"))
    #expect(outcome.code == 0)
    let enabled = try await homeline("status")
    #expect(enabled.error.hasPrefix("homeline: no process is using the accounts; showing the state of the files\n"))
    #expect(
      enabled.output == """
        ✗ cat                 never  not authorised. To authorise it: homeline login cat
        - gone  @theSeanCook  never  no longer in the configuration

        """)
    #expect(
      enabled.error.contains("1 account is not enabled and therefore hidden; to show all: homeline status --all\n"))
    let bird = try await homeline("status", "bird").output
    #expect(bird.hasPrefix("- bird  @theSeanCook  ") && bird.contains(" d ago  "), "\(bird)")
    #expect(bird.hasSuffix("  not enabled. To enable it: homeline account enable bird\n"), "\(bird)")
  }

  @Test("`homeline status` prints only the named account and refuses an unknown account")
  func choice() async throws {
    try configure(
      #"{"sandbox": {"port": 0}, "accounts": {"cat": {"provider": "sandbox"}, "dog": {"provider": "sandbox"}}}"#)
    let one = try await homeline("status", "dog")
    #expect(one.output.hasPrefix("✗ dog  never  not authorised."))
    #expect(!one.output.contains("cat"))
    let unknown = try await homeline("status", "bird")
    #expect(unknown.error == "homeline: there is no account \"bird\" (accounts: cat, dog)\n")
    #expect(unknown.code == 64)
  }

  @Test("`homeline status` works with a missing or invalid configuration and reports the problem")
  func brokenConfiguration() async throws {
    try authorise("bird")
    let without = try await homeline("status")
    #expect(without.output == "- bird  @theSeanCook  never  no longer in the configuration\n")
    #expect(without.error.contains("there is no account yet") && !without.error.contains("invalid"), "\(without.error)")
    #expect(without.code == 0)
    try configure(#"{"acounts": {}}"#)
    let broken = try await homeline("status", "-v")
    #expect(broken.output.hasPrefix("bird (the configuration has errors)\n"))
    #expect(broken.error.contains("\(layout.configFile):1:2: acounts: unknown key; did you mean accounts?"))
    #expect(broken.error.contains("the configuration is invalid"))
    #expect(broken.code == 0)
  }

  @Test("`homeline status` reports an unreadable token file and still prints the rest")
  func corruptToken() async throws {
    try configureBird(secret: #""s""#)
    try remember("bird", Self.state)
    let files = layout.files(of: "bird")
    try Folder.create(files.stateFolder)
    try AtomicFile.write(Array("{".utf8), to: files.token, .replaced)
    #expect(try await homeline("status").output.contains("  \(files.token): "))
    let outcome = try await homeline("status", "-v")
    #expect(outcome.output.contains("  authorised    unknown\n"))
    #expect(outcome.output.contains("  unreadable    \(files.token): "))
    #expect(outcome.output.contains("  last refresh  2026-11-20 12:00"))
    #expect(File.exists(files.token))
    #expect(outcome.code == 0)
  }

  @Test("`homeline status --json` prints the effective settings and all file paths, but no secrets")
  func json() async throws {
    try configureBird(secret: #""c0nsumer-s3cret""#, more: #", "refresh_seconds": 60"#)
    try authorise("bird")
    try remember("bird", Self.state)
    let outcome = try await homeline("status", "--json")
    // Users' scripts parse this output with jq, so the test does too.
    let filter =
      "[.schema, .owner, (.configuration.problems|length), (.accounts[0]|.account, .provider, .enabled, .orphan, "
      + ".authorised.screen_name, .refreshed_at, .error.code, .limit.remaining, .settings.refresh_seconds, "
      + ".settings.keep_posts, .settings.signature_method, .files.timeline)]"
    let jq = try await ProgramRun.run(
      "jq", ["-c", filter], environment: ProgramRun.environment(home: home.path), input: .text(outcome.output))
    #expect(
      jq.output
        == #"[1,null,0,"bird","twitter",true,false,"theSeanCook","\#(Self.noon.rfc3339)","rate-limited",3,60,200,"#
        + #""HMAC-SHA1","\#(layout.files(of: "bird").timeline)"]"# + "\n")
    #expect(!outcome.output.contains("s3cret"))
  }

  @Test(
    "`homeline status --json` lists publishing, retention and notification settings, and names programs without their arguments"
  )
  func publishing() async throws {
    try configure(
      """
      {"publish": ["atom"], "on_new_posts": ["tell", "--key", "s3cret"], "media": {"megabytes": 7},
        "views": {"v": {"words": ["cat"], "mute": {"authors": ["spam"]}}},
        "accounts": {"a": {"provider": "sandbox", "keep_days": 30, "keep_archive": false, "erase_deleted_days": 7},
          "b": {"provider": "sandbox", "publish": ["html"], "on_new_posts": null, "notify": true}}}
      """)
    let outcome = try await homeline("status", "--json")
    let filter =
      "[(.accounts[].settings|.publish, .keep_days, .keep_archive, .erase_deleted_days, .on_new_posts, .notify), (.configuration|.media.megabytes, "
      + "(.views[]|.view, .accounts, .publish, .posts, .words, .mute.authors, .replies, .fold_cross_posts))]"
    let jq = try await ProgramRun.run(
      "jq", ["-c", filter], environment: ProgramRun.environment(home: home.path), input: .text(outcome.output))
    #expect(
      jq.output == #"[["atom"],30,false,7,"tell",false,["html"],null,true,30,null,true,7,"#
        + #""v",["a","b"],["atom"],200,["cat"],["spam"],true,true]"# + "\n")
    #expect(!outcome.output.contains("s3cret"))
  }

  @Test("`homeline status --json` prints a budget only for providers that charge for posts")
  func fetchLimits() async throws {
    try configure(
      """
      {"accounts": {"x": {"provider": "x", "consumer_key": "k", "consumer_secret": "s", "first_fill_posts": 20},
        "free": {"provider": "sandbox"}}}
      """)
    let outcome = try await homeline("status", "--json")
    let filter =
      "[.accounts[].settings|(.budget|if . then .posts_per_day,.usd_per_day==1,.usd_per_month else \"free\" end), "
      + ".first_fill_posts, .refresh_seconds]"
    let jq = try await ProgramRun.run(
      "jq", ["-c", filter], environment: ProgramRun.environment(home: home.path), input: .text(outcome.output))
    #expect(jq.output == #"[200,true,null,20,900,"free",null,90]"# + "\n")
  }
}
