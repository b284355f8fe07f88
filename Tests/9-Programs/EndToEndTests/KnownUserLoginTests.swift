import Glibc
import Platform
import TestSupport
import Testing

/// `homeline login SERVER` by a user who already has an account, and what the terminal asks.
@Suite("`homeline login SERVER` on a known server", .timeLimit(.minutes(3))) struct KnownUserLoginTests {
  private func emptyHome(publish: String = #", "publish": ["txt"]"#) throws -> TestInstallation {
    let home = try TestInstallation()
    try home.configure(#"{ "callback": { "port": 0 }\#(publish), "accounts": {} }"#)
    return home
  }

  private func start(_ home: TestInstallation) async throws -> (program: ProgramRun, address: String) {
    let program = try home.start(["sandbox", "--provider", "mastodon", "--port", "0"])
    let line = try #require(await program.line(containing: "server:"))
    return (program, String(try #require(line.split(separator: " ").last)))
  }

  private func stop(_ server: ProgramRun) async {
    server.signal(SIGTERM)
    _ = await server.end()
  }

  @discardableResult
  private func logIn(_ arguments: [String], _ home: TestInstallation) async throws -> ProgramRun.Outcome {
    let login = try await PendingLogin(home, arguments + ["--yes"])
    try await login.authorise()
    return await login.program.end()
  }

  private func accounts(_ home: TestInstallation) -> [String] {
    ((try? home.names(in: "\(home.path)/config/homeline/config.d")) ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }

  private func accessToken(of account: String, _ home: TestInstallation) throws -> String {
    try #require(try JSONValue(file: home.token(of: account))["access_token"].text)
  }

  /// Whether no folder of homeline contains anything of the account.
  private func isGone(_ account: String, _ home: TestInstallation) -> Bool {
    [
      home.stateFolder(of: account), "\(home.path)/data/homeline/\(account)", home.cacheFolder(of: account),
      "\(home.path)/config/homeline/config.d/\(account).json",
    ].allSatisfy { !File.exists($0) }
  }

  @Test(
    "A second login by the same user renews the existing account's token, and leaves no second account",
    arguments: [false, true])
  func sameUser(withService: Bool) async throws {
    let home = try emptyHome()
    let (server, address) = try await start(home)
    let daemon = withService ? try await RunningDaemon(home) : nil
    try #require(try await logIn([address], home).code == 0)
    let (token, posts) = try (accessToken(of: "mastodon", home), home.publishedIDs("mastodon").count)
    let outcome = try await logIn([address], home)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("@mira_demo already has the account mastodon, so no other account is added"))
    #expect(outcome.error.contains("to see more: homeline show mastodon\n"))
    #expect(accounts(home) == ["mastodon.json"])
    #expect(try await eventually { isGone("mastodon-2", home) })
    #expect(try accessToken(of: "mastodon", home) != token)
    #expect(try await home.run("refresh").code == 0)
    #expect(try home.publishedIDs("mastodon").count >= posts)
    if let daemon {
      #expect(try await daemon.status()["accounts"].items.compactMap { $0["account"].text } == ["mastodon"])
      #expect(await daemon.stop().outcome.code == 0)
    }
    await stop(server)
  }

  @Test("An account written by hand keeps a token with more scopes, and the new token is revoked")
  func writtenByHand() async throws {
    let home = try emptyHome()
    let (server, address) = try await start(home)
    try home.configure(
      #"""
      { "callback": { "port": 0 }, "accounts": { "eve": { "provider": "mastodon", "server": "\#(address.uppercased().replacing("HTTP:", with: "http:"))",
        "scopes": ["read:accounts", "read:statuses", "write:statuses"] } } }
      """#)
    try await home.logIn("eve")
    let token = try accessToken(of: "eve", home)
    let outcome = try await logIn([address, "--name", "other"], home)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("so no other account is added; it keeps its own token"), "\(outcome.error)")
    #expect(accounts(home).isEmpty && isGone("other", home))
    #expect(try accessToken(of: "eve", home) == token)
    #expect(try await home.run("refresh", "eve").code == 0)
    await stop(server)
  }

  @Test("Two logins of the same user at the same time leave one account, with a token that works")
  func atTheSameTime() async throws {
    let home = try emptyHome()
    let (server, address) = try await start(home)
    let daemon = try await RunningDaemon(home)
    let first = try await PendingLogin(home, [address, "--name", "one", "--yes"])
    let second = try await PendingLogin(home, [address, "--name", "two", "--yes"])
    async let pages = (first.authorise(), second.authorise())
    _ = try await pages
    let outcomes = [await first.program.end(), await second.program.end()]
    #expect(outcomes.map(\.code) == [0, 0], "\(outcomes.map(\.error))")
    let left = accounts(home)
    #expect(left.count == 1, "\(left)")
    let name = try #require(left.first?.split(separator: ".").first.map(String.init))
    #expect(try await eventually { isGone(name == "one" ? "two" : "one", home) })
    #expect(try await home.run("refresh", name).code == 0)
    #expect(await daemon.stop().outcome.code == 0)
    await stop(server)
  }

  @Test("A login by the case-insensitive address of a known user is a login to that user's account")
  func knownAddress() async throws {
    let home = try emptyHome()
    let (server, address) = try await start(home)
    try #require(try await logIn([address], home).code == 0)
    let login = try await PendingLogin(home, ["\(address)/@Mira_Demo", "--yes"])
    #expect(
      login.program.written(on: .error).contains("@Mira_Demo already has the account mastodon; logging in to it again"))
    #expect(accounts(home) == ["mastodon.json"])
    try await login.authorise()
    #expect(await login.program.end().code == 0)
    // Another user's address means a new account.
    let other = try await PendingLogin(home, ["\(address)/@eve", "--yes"])
    #expect(
      other.program.written(on: .error).contains("already on this server: mastodon (@mira_demo). Another account is"))
    #expect(accounts(home) == ["mastodon-2.json", "mastodon.json"])
    await other.giveUp()
    await stop(server)
  }

  @Test("An imported token goes to the user's account if that account has none")
  func imported() async throws {
    let home = try emptyHome()
    let (server, address) = try await start(home)
    try #require(try await logIn([address, "--name", "eve"], home).code == 0)
    let other = try emptyHome()
    try #require(try await logIn([address], other).code == 0)
    let host = address.replacing("http://", with: "")
    try home.write(
      """
      { "active_user": "mira_demo@\(host)",
        "apps": { "\(host)": { "base_url": "\(address)", "client_id": "c", "client_secret": "s", "instance": "\(host)" } },
        "users": { "mira_demo@\(host)": {
          "access_token": "\(try accessToken(of: "mastodon", other))", "instance": "\(host)", "username": "mira_demo" } } }
      """, to: "\(home.path)/config/toot/config.json")
    #expect(try await home.run("logout", "eve").code == 0)
    let outcome = try await home.run("login", "--import")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("its token belongs to the account eve now"), "\(outcome.error)")
    #expect(accounts(home) == ["eve.json"] && isGone("mira_demo", home))
    #expect(try accessToken(of: "eve", home) == accessToken(of: "mastodon", other))
    await stop(server)
  }

  // MARK: On a terminal

  private func terminal(
    _ arguments: [String], _ home: TestInstallation, columns: Int = 80, _ steps: [TerminalRun.Step]
  ) async throws -> TerminalRun {
    let browser = ["BROWSER": Repository.path("Tests/Packages/browser.sh"), "TERM": "xterm-256color"]
    return try await TerminalRun(arguments, environment: home.environment(browser), columns: columns, steps: steps)
  }

  @Test("On a terminal, a new account publishes what the user chooses, and the next commands work", .needsPeers)
  func publishes() async throws {
    let home = try emptyHome(publish: "")
    let (server, address) = try await start(home)
    let run = try await terminal(
      ["login", address], home,
      [
        .type("\\n", after: "Account name [mastodon]: "), .type("pages\\n", after: "or none: "),
        .type("page, bar\\n", after: "type some of page, feeds, bar, or none"),
      ])
    #expect(run.status == 0, "\(run.output)")
    let file = try JSONValue(file: "\(home.path)/config/homeline/config.d/mastodon.json")
    #expect(file["publish"].items.compactMap(\.text) == ["bar.json", "html"])
    #expect(run.output.contains("homeline: to see them on a page: homeline open mastodon\n"))
    #expect(File.exists("\(home.cacheFolder(of: "mastodon"))/home_timeline.html"))
    #expect(try await home.run("open", "mastodon", "--print").code == 0)
    #expect(try await home.run("show", "mastodon").code == 0)
    await stop(server)
  }

  @Test("On a terminal, existing accounts on the server are offered, including another user's", .needsPeers)
  func offersKnown() async throws {
    let home = try emptyHome()
    let (server, address) = try await start(home)
    try #require(try await logIn([address], home).code == 0)
    let again = try await terminal(["login", address], home, [.type("\\n", after: "Account [mastodon]: ")])
    #expect(again.status == 0, "\(again.output)")
    #expect(again.output.contains("\n  mastodon  @mira_demo\n"))
    #expect(accounts(home) == ["mastodon.json"])
    let another = try await terminal(
      ["login", address], home,
      [.type("work\\n", after: "Account [mastodon]: "), .signal("SIGINT", after: "To authorise the account 'work'")])
    #expect(another.output.contains("config.d/work.json"), "\(another.output)")
    await stop(server)
  }

  @Test(
    "`homeline login` alone lists what it can log in to, in lines of at most 40 columns, and asks", .needsPeers,
    arguments: [80, 40])
  func list(columns: Int) async throws {
    let home = try emptyHome()
    try File.remove(home.configuration)
    let run = try await terminal(
      ["login"], home, columns: columns,
      [
        .type("social\\n", after: "Log in to: "), .type("bluesky\\n", after: "Log in to: "),
        .type("weibo\\n", after: "Log in to: "), .signal("SIGINT", after: "App key: "),
      ])
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.prefix { !$0.hasPrefix("Log in to: ") }
    #expect(first.first == "homeline: there is no account yet.")
    #expect(first.allSatisfy { $0.count <= 40 }, "\(first)")
    for name in ["a server", "x", "weibo", "google", "microsoft", "fastmail", "import"] {
      #expect(first.contains { $0.hasPrefix("  \(name) ") }, "\(name) is missing in \(first)")
    }
    #expect(run.output.contains("there is no account \"social\""))
    #expect(run.output.contains("Bluesky is not supported yet"))
    #expect(!File.exists("\(home.path)/config/homeline/config.d"))
  }
}
