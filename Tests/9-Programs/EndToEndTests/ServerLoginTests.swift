import Glibc
import Platform
import TestSupport
import Testing

/// `homeline login SERVER` with simulated servers.
@Suite("`homeline login SERVER`", .timeLimit(.minutes(3))) struct ServerLoginTests {
  /// A running `homeline sandbox`.
  private struct Server {
    let program: ProgramRun
    let address: String

    init(_ provider: String, _ home: TestInstallation) async throws {
      program = try home.start(["sandbox", "--provider", provider, "--port", "0"])
      let line = try #require(await program.line(containing: "server:"))
      address = String(try #require(line.split(separator: " ").last))
    }

    func stop() async {
      program.signal(SIGTERM)
      _ = await program.end()
    }
  }

  /// Returns a home folder without accounts.
  private func emptyHome() throws -> TestInstallation {
    let home = try TestInstallation()
    try home.configure(#"{ "callback": { "port": 0 }, "publish": ["txt"] , "accounts": {} }"#)
    return home
  }

  private func accountFile(_ name: String, _ home: TestInstallation) -> String {
    "\(home.path)/config/homeline/config.d/\(name).json"
  }

  @Test(
    "A single command adds an account on a Mastodon-compatible server, logs in, and shows the first posts",
    arguments: [("mastodon", "mastodon 4.5.2"), ("gotosocial", "gotosocial 0.20.2"), ("snac", "snac 2.75")])
  func mastodon(provider: String, says: String) async throws {
    let home = try emptyHome()
    let server = try await Server(provider, home)
    let login = try await PendingLogin(home, [server.address, "--yes"])
    try await login.authorise()
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error)")
    let lines = outcome.error.split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "homeline: detecting the API of \(server.address.dropFirst(7)), to add an account there; no questions are asked; there is no browser here, so you get a URL to open elsewhere"
    )
    #expect(lines.dropFirst().first?.contains("identifies itself as \(says)") == true, "\(outcome.error)")
    #expect(lines.contains("homeline: the account is named \(provider)"))
    let file = accountFile(provider, home)
    #expect(
      try home.read(file) == "{\n  \"provider\": \"mastodon\",\n  \"server\": \"\(server.address)\"\n}\n")
    #expect(try FileStatus.of(file).permissions == 0o600)
    #expect(outcome.output.contains("Authorised as @mira"))
    // The output ends with the newest of the published posts.
    let posts = try home.published(provider)["posts"].items
    let addresses = posts.prefix(6).compactMap { $0["url"].text }
    try #require(addresses.count == 6)
    let isShown = addresses.map { outcome.output.contains($0) }
    #expect(isShown == [true, true, true, true, true, false], "\(outcome.output)")
    await server.stop()
  }

  @Test("With --json, the result of a login to a server is the only text on standard output", .needsPeers)
  func json() async throws {
    let home = try emptyHome()
    let server = try await Server("mastodon", home)
    let login = try await PendingLogin(
      home, [server.address, "--yes", "--json"], addressWith: "/oauth/authorize?", on: .error)
    try await login.authorise()
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error)")
    try home.write(outcome.output, to: "\(home.path)/result.json")
    #expect(try await PublishedSchemaTests.violations(of: "login", "\(home.path)/result.json") == "")
    let events = try JSONValue(Array(outcome.output.utf8))["results"].items.map { $0["event"].text }
    #expect(events == ["authorised", "stored", "refreshed"])
    await server.stop()
  }

  @Test("A user's address is enough to log in, and a running service takes over the new account")
  func withService() async throws {
    let home = try emptyHome()
    let server = try await Server("mastodon", home)
    let daemon = try await RunningDaemon(home)
    let host = server.address.dropFirst("http://".count)
    let login = try await PendingLogin(home, ["http://\(host)/@mira_demo", "--name", "bird", "--yes"])
    try await login.authorise()
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await daemon.status()["accounts"].items.compactMap { $0["account"].text } == ["bird"])
    // The service is already running, so the command does not offer to start it.
    #expect(!outcome.error.contains("crontab") && !outcome.error.contains("systemctl"), "\(outcome.error)")
    #expect(await daemon.stop().outcome.code == 0)
    await server.stop()
  }

  @Test(
    "After a refused login, the account stays: the next login to the server uses it, and it can be removed")
  func refused() async throws {
    let home = try emptyHome()
    let server = try await Server("mastodon", home)
    for isFirst in [true, false] {
      let login = try await PendingLogin(home, [server.address, "--yes"])
      #expect(
        login.program.written(on: .error).contains("the account mastodon is on this server and has no user yet")
          != isFirst)
      let refused = try login.refuse()
      _ = try await OwnThread.run { try login.browser.follow(refused) }
      let outcome = await login.program.end()
      #expect(outcome.code == 77)
      #expect(
        outcome.error.contains("To log in: homeline login mastodon; to remove it: homeline account remove mastodon")
          == isFirst)
    }
    #expect(!File.exists(accountFile("mastodon-2", home)))
    let removed = try await home.run("account", "remove", "mastodon")
    #expect(removed.code == 0 && !File.exists(accountFile("mastodon", home)), "\(removed.error)")
    // An account that was never used leaves nothing behind.
    #expect(!removed.error.contains("its posts stay"))
    #expect(!File.exists(home.database(of: "mastodon")) && !File.exists(home.stateFolder(of: "mastodon")))
    await server.stop()
  }

  @Test("An account's name takes precedence over a server's")
  func accountFirst() async throws {
    let home = try TestInstallation()
    try home.configure(
      #"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "social.example": { "provider": "sandbox", "keep_posts": 20 } } }"#
    )
    try await home.logIn("social.example")
    #expect(try home.publishedIDs("social.example").count == 20)
    let outcome = try await home.run("login", "social.example", "--yes")
    #expect(
      outcome.code == 64 && outcome.error.contains("can only be used to add an account on a server"), "\(outcome.error)"
    )
  }

  @Test(
    "If the server needs a registered application, the command explains what to do and writes nothing",
    arguments: [("gnusocial", "/settings/oauthapps"), ("oauth2", "issues tokens but does not provide a timeline")])
  func needsKeys(provider: String, advice: String) async throws {
    let home = try emptyHome()
    let server = try await Server(provider, home)
    let outcome = try await home.run("login", server.address)
    #expect(outcome.code == 78 && outcome.error.contains(advice), "\(outcome.error)")
    #expect(outcome.error.hasPrefix("homeline: detecting"))
    #expect(outcome.error.contains("without a terminal, no questions are asked"))
    #expect(!File.exists("\(home.path)/config/homeline/config.d"))
    await server.stop()
  }

  @Test(
    "For a provider with its own servers, the command reports where to register an application",
    arguments: [
      ("x", "console.x.com"), ("weibo", "open.weibo.com"), ("google", "console.cloud.google.com"),
      ("microsoft", "entra.microsoft.com"), ("fastmail", "fastmail.com/for-developers/oauth"),
    ])
  func providers(name: String, place: String) async throws {
    let outcome = try await emptyHome().run("login", name)
    #expect(outcome.code == 78 && outcome.error.contains(place), "\(outcome.error)")
    #expect(outcome.error.hasPrefix("homeline: adding an account on \(name)"))
  }

  @Test("If the server is unknown or unreachable or the name is wrong, the command reports what it found")
  func unknown() async throws {
    let home = try emptyHome()
    let server = try await Server("twitter", home)
    let unknown = try await home.run("login", server.address, "--yes")
    #expect(unknown.code == 69 && unknown.error.contains("has none of these: Mastodon's API"), "\(unknown.error)")
    await server.stop()
    let gone = try await home.run("login", server.address, "--yes")
    #expect(gone.code == 69 && gone.error.contains("cannot be reached"), "\(gone.error)")
    // Without a scheme, https is tried. A server on this machine may speak only http.
    let host = server.address.dropFirst("http://".count)
    for typed in ["\(host)", "@mira@\(host)"] {
      let secure = try await home.run("login", typed, "--yes")
      #expect(
        secure.code == 69
          && secure.error.hasSuffix("If the server speaks plain HTTP: homeline login \(server.address)\n"),
        "\(secure.error)")
    }
    let wrong = try await home.run("login", "http://social.example")
    #expect(wrong.code == 64 && wrong.error.contains("is neither an account nor a server"), "\(wrong.error)")
    let nobody = try await home.run("login", "bird")
    #expect(nobody.code == 64 && nobody.error.contains("there is no account \"bird\""), "\(nobody.error)")
  }

  @Test("On a terminal, the command asks for the name and the keys", .needs("script"))
  func terminal() async throws {
    let home = try emptyHome()
    let server = try await Server("gnusocial", home)
    let guide = server.program.written(on: .output)
    func value(_ name: String) -> String {
      guide.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: " ").last.map(String.init) ?? ""
    }
    let command = "'\(ProgramRun.product("homeline"))' login \(server.address) --no-browser"
    let program = try ProgramRun(
      "script", ["-qec", command, "/dev/null"],
      environment: home.environment(["SHELL": "/bin/sh", "TERM": "xterm"]), input: .open, timeout: .seconds(120))
    try #require(await program.line(containing: "type its keys here") != nil)
    for (prompt, answer) in [
      ("Consumer key: ", value("consumer key:")), ("Consumer secret: ", value("consumer secret:")),
      ("Account name [gnusocial]: ", "Bad Name"), ("must be 1 to 64", "gnu"),
    ] {
      try #require(try await eventually { program.written(on: .output).contains(prompt) })
      program.type(answer + "\n")
    }
    let line = try #require(await program.line(containing: "/oauth/authorize"))
    let address = try LocalURL(line.replacing("\r", with: ""))
    let browser = ScriptedBrowser()
    _ = try await OwnThread.run { try browser.follow(browser.grant(at: address)) }
    let outcome = await program.end()
    #expect(outcome.code == 0, "\(outcome.output)")
    let file = try JSONValue(file: accountFile("gnu", home))
    #expect(file["endpoints"]["home_timeline"].text == "\(server.address)/api/statuses/home_timeline.json")
    #expect(file["consumer_secret"].text == value("consumer secret:"))
    #expect(!outcome.output.contains(value("consumer secret:")))
    #expect(try home.published("gnu")["posts"].items.count > 5)
    await server.stop()
  }

  // MARK: The service

  /// Installs a `systemctl` that prints this state, and writes its other arguments to a file.
  private func systemctl(_ state: String, _ home: TestInstallation) throws -> [String: String] {
    let folder = "\(home.path)/bin"
    try home.write(
      "#!/bin/sh\ncase \"$*\" in *LoadState*) echo \(state) ;; *) echo \"$*\" >>'\(home.path)/calls' ;; esac\n",
      to: "\(folder)/systemctl")
    try #require(chmod("\(folder)/systemctl", 0o700) == 0)
    return ["PATH": "\(folder):/usr/bin:/bin"]
  }

  @Test(
    "--yes starts the service; without --yes and a terminal, the command that starts it is only printed",
    arguments: [("loaded", true), ("loaded", false), ("not-found", true)])
  func service(state: String, accepts: Bool) async throws {
    let home = try emptyHome()
    let server = try await Server("mastodon", home)
    let login = try await PendingLogin(
      home, [server.address] + (accepts ? ["--yes"] : []), try systemctl(state, home))
    try await login.authorise()
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error)")
    let calls = (try? home.read("\(home.path)/calls")) ?? ""
    switch (state, accepts) {
    case ("loaded", true): #expect(calls == "--user enable --now homeline\n")
    case ("loaded", false):
      #expect(
        calls == "" && outcome.error.hasSuffix("each login: systemctl --user enable --now homeline\n"),
        "\(outcome.error)")
    default: #expect(calls == "" && outcome.error.contains("*/2 * * * * /"), "\(outcome.error)")
    }
    await server.stop()
  }

  @Test("On a terminal, a service that was not wanted after one login is offered again by the next", .needs("script"))
  func laterLogin() async throws {
    let home = try TestInstallation()
    try home.configure(
      #"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox" } } }"#)
    let variables = try systemctl("loaded", home)
    for (answer, end) in [("n", "each login: systemctl --user enable --now homeline"), ("y", "the service is running")]
    {
      let program = try ProgramRun(
        "script",
        ["-qec", "'\(ProgramRun.product("homeline"))' login demo --press-authorise --no-browser", "/dev/null"],
        environment: home.environment(variables.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 }), input: .open,
        timeout: .seconds(120))
      let isAsked = try await eventually { program.written(on: .output).contains("at each login? [Y/n] ") }
      try #require(isAsked, "\(program.written(on: .output))")
      program.type(answer + "\n")
      let outcome = await program.end()
      #expect(outcome.code == 0 && outcome.output.contains(end), "\(outcome.output)")
    }
    #expect(try home.read("\(home.path)/calls") == "--user enable --now homeline\n")
  }

  @Test(
    "While no service is running, `status` names what starts it once an account needs it",
    arguments: ["loaded", "not-found"])
  func statusWithoutService(state: String) async throws {
    let home = try TestInstallation()
    try home.configure(
      #"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox" } } }"#)
    var variables = try systemctl(state, home)
    let advice = state == "loaded" ? "systemctl --user enable --now homeline\n" : "/homeline daemon --once >/dev/null\n"
    let before = try await home.run("status", variables: variables)
    #expect(!before.error.contains(advice), "\(before.error)")
    try await home.logIn("demo")
    let after = try await home.run("status", variables: variables)
    #expect(after.error.contains("no service is running. To ") && after.error.contains(advice), "\(after.error)")
    // A line that refreshes the accounts is as good as a service.
    try home.write(
      "#!/bin/sh\necho '*/2 * * * * homeline daemon --once'\n", to: "\(home.path)/bin/crontab")
    try #require(chmod("\(home.path)/bin/crontab", 0o700) == 0)
    variables["PATH"] = "\(home.path)/bin:/usr/bin:/bin"
    let scheduled = try await home.run("status", variables: variables)
    #expect(!scheduled.error.contains("no service is running"), "\(scheduled.error)")
  }

  @Test("Without systemd, the command prints a line for cron")
  func cron() async throws {
    let home = try emptyHome()
    let server = try await Server("mastodon", home)
    let login = try await PendingLogin(home, [server.address, "--yes"], ["PATH": "\(home.path)/none"])
    try await login.authorise()
    let outcome = await login.program.end()
    #expect(outcome.code == 0 && outcome.error.contains("*/2 * * * * /"), "\(outcome.error)")
    #expect(outcome.error.contains("/homeline daemon --once >/dev/null"))
    await server.stop()
  }
}
