import Glibc
import Platform
import TestSupport
import Testing

/// `homeline login --import` and `--with-token`, with the built programs and simulated servers.
@Suite("homeline login --import", .timeLimit(.minutes(3))) struct LoginImportTests {
  /// A running `homeline sandbox`, and a user's token there.
  private struct Server {
    let program: ProgramRun
    let address: String
    /// The content of the token file of an account logged in from another installation.
    let token: JSONValue
    let consumerKey: String
    let consumerSecret: String

    /// - Parameter account: an account without `provider`; `ADDRESS`, `KEY` and `SECRET` in it are replaced.
    init(_ provider: String, account: String) async throws {
      let home = try TestInstallation()
      let program = try home.start(["sandbox", "--provider", provider, "--port", "0"])
      let line = try #require(await program.line(containing: "server:"))
      let address = String(try #require(line.split(separator: " ").last))
      _ = try #require(await program.line(containing: "presses Authorise"))
      func value(_ name: String) -> String {
        let line = program.written(on: .output).split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line.flatMap { $0.split(separator: " ").last }.map { String($0) } ?? ""
      }
      let (key, secret) = (value("consumer key"), value("consumer secret"))
      let members = account.replacing("ADDRESS", with: address).replacing("KEY", with: key)
        .replacing("SECRET", with: secret)
      try home.configure(#"{ "callback": { "port": 0 }, "accounts": { "bird": { \#(members) } } }"#)
      try await home.logIn("bird", "--no-browser")
      token = try JSONValue(file: home.token(of: "bird"))
      (self.program, self.address, consumerKey, consumerSecret) = (program, address, key, secret)
    }

    static func mastodon() async throws -> Server {
      try await Server("mastodon", account: #""provider": "mastodon", "server": "ADDRESS""#)
    }

    static func gnuSocial() async throws -> Server {
      try await Server("gnusocial", account: signed)
    }

    /// An account with Twitter's v1.1 API.
    static let signed = """
      "provider": "twitter", "consumer_key": "KEY", "consumer_secret": "SECRET", "endpoints": {
        "request_token": "ADDRESS/api/oauth/request_token", "authorize": "ADDRESS/api/oauth/authorize",
        "access_token": "ADDRESS/api/oauth/access_token",
        "verify_credentials": "ADDRESS/api/account/verify_credentials.json",
        "home_timeline": "ADDRESS/api/statuses/home_timeline.json" }
      """

    var host: String { String(address.dropFirst("http://".count)) }

    func text(_ name: String) throws -> String { try #require(token[name].text) }

    /// Returns a toot configuration with this user.
    /// - Parameter token: the token; nil for the valid one.
    func toot(token: String? = nil) throws -> String {
      let user = try #require(self.token["user"]["screen_name"].text)
      return """
        { "active_user": "\(user)@\(host)",
          "apps": { "\(host)": { "base_url": "\(address)", "client_id": "c", "client_secret": "s", "instance": "\(host)" } },
          "users": { "\(user)@\(host)": {
            "access_token": "\(try token ?? text("access_token"))", "instance": "\(host)", "username": "\(user)" } } }
        """
    }

    /// Returns a profile file of `t` with this user.
    func profiles() throws -> String {
      let user = try #require(token["user"]["screen_name"].text)
      return """
        ---
        configuration:
          default_profile:
          - \(user)
          - \(consumerKey)
        profiles:
          \(user):
            \(consumerKey):
              username: \(user)
              consumer_key: \(consumerKey)
              consumer_secret: "\(consumerSecret)"
              token: \(try text("token"))
              secret: \(try text("secret"))

        """
    }

    func stop() async {
      program.signal(SIGTERM)
      _ = await program.end()
    }
  }

  private func emptyHome(callbackPort: Int = 0) throws -> TestInstallation {
    let home = try TestInstallation()
    try home.configure(#"{ "callback": { "port": \#(callbackPort) }, "publish": ["txt"], "accounts": {} }"#)
    return home
  }

  private func accountFiles(_ home: TestInstallation) -> [String] {
    ((try? home.names(in: "\(home.path)/config/homeline/config.d")) ?? []).filter { $0.hasSuffix(".json") }
  }

  @Test(
    "a login imported from toot becomes an account with its token, and toot's file is not changed",
    arguments: [false, true])
  func toot(withService: Bool) async throws {
    let server = try await Server.mastodon()
    let home = try emptyHome()
    let file = "\(home.path)/config/toot/config.json"
    try home.write(try server.toot(), to: file)
    let before = try (home.read(file), FileStatus.of(file))
    let daemon = withService ? try await RunningDaemon(home) : nil
    let outcome = try await home.run("login", "--import")
    try #require(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("Authorised as @mira_demo"))
    #expect(outcome.error.contains("toot: @mira_demo at \(server.host): added as the account mira_demo"))
    #expect(outcome.error.contains("1 of 1 logins added"))
    #expect(accountFiles(home) == ["mira_demo.json"])
    let account = "\(home.path)/config/homeline/config.d/mira_demo.json"
    #expect(try home.read(account) == "{\n  \"provider\": \"mastodon\",\n  \"server\": \"\(server.address)\"\n}\n")
    #expect(try FileStatus.of(account).permissions == 0o600)
    #expect(try JSONValue(file: home.token(of: "mira_demo"))["access_token"] == server.token["access_token"])
    #expect(try home.publishedIDs("mira_demo").count > 0)
    #expect(try home.read(file) == before.0 && FileStatus.of(file) == before.1)
    // A second import changes nothing.
    let again = try await home.run("login", "--import")
    #expect(again.code == 0 && again.error.contains("skipped, because the account mira_demo belongs to the same user"))
    #expect(accountFiles(home) == ["mira_demo.json"])
    // The token still belongs to toot, so the logout does not revoke it.
    let logout = try await home.run("logout", "mira_demo")
    #expect(logout.output.contains("another program") || logout.error.contains("another program"), "\(logout)")
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
    await server.stop()
  }

  @Test("a login whose token the server refuses adds no account")
  func refused() async throws {
    let server = try await Server.mastodon()
    let home = try emptyHome()
    try home.write(try server.toot(token: "not-a-token"), to: "\(home.path)/config/toot/config.json")
    let outcome = try await home.run("login", "--import")
    #expect(outcome.code == 77, "\(outcome.error)")
    #expect(outcome.error.contains(": not added\n") && outcome.error.contains("0 of 1 logins added"))
    #expect(!outcome.error.contains("not-a-token"))
    #expect(accountFiles(home).isEmpty && !File.exists(home.token(of: "mira_demo")))
    await server.stop()
  }

  @Test("logins imported from t belong to the server named in the command if it has GNU social's API")
  func gnuSocial() async throws {
    let server = try await Server.gnuSocial()
    let home = try emptyHome()
    try home.write(try server.profiles(), to: "\(home.path)/.trc")
    let before = try home.read("\(home.path)/.trc")
    let outcome = try await home.run("login", server.address, "--import")
    try #require(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains("t: @mira_demo at \(server.host): added as the account mira_demo"), "\(outcome.error)")
    #expect(try home.publishedIDs("mira_demo").count > 0)
    #expect(try JSONValue(file: home.token(of: "mira_demo"))["token"] == server.token["token"])
    #expect(try home.read("\(home.path)/.trc") == before)
    await server.stop()
  }

  @Test(
    "if no server is named, logins imported from twurl belong to X, and none is added while X is unreachable")
  func x() async throws {
    // X compares the address of the redirect, so its port cannot vary.
    let home = try emptyHome(callbackPort: 18_765)
    try home.write(
      "profiles: {bird: {k: {username: bird, consumer_key: k, consumer_secret: s3cret, token: t0ken, secret: u}}}\n",
      to: "\(home.path)/.twurlrc")
    // Nothing listens at the address of the proxy, so no request leaves this machine.
    let outcome = try await home.start(["login", "--import"], ["https_proxy": "http://127.0.0.1:1"]).end()
    #expect(outcome.code == 69, "\(outcome.error)")
    #expect(outcome.error.contains("twurl: @bird at X: X charges for each post; by default, at most $1 a day is spent"))
    #expect(outcome.error.contains("twurl: @bird at X: not added"))
    #expect(!outcome.error.contains("s3cret") && !outcome.error.contains("t0ken"))
    #expect(accountFiles(home).isEmpty)
  }

  @Test("a file that cannot be read is reported, and logins from the other files are still added")
  func badFile() async throws {
    let server = try await Server.mastodon()
    let home = try emptyHome()
    try home.write("profiles: [", to: "\(home.path)/.trc")
    mkfifo("\(home.path)/.twurlrc", 0o600)
    try home.write(try server.toot(), to: "\(home.path)/config/toot/config.json")
    let outcome = try await home.run("login", "--import")
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains("\(home.path)/.trc: line 2: did not find expected node content"))
    #expect(outcome.error.contains("\(home.path)/.twurlrc"))
    #expect(accountFiles(home) == ["mira_demo.json"])
    await server.stop()
  }

  @Test("a damaged login affects no other, in the same file or another")
  func damagedLogins() async throws {
    let server = try await Server.mastodon()
    let home = try emptyHome()
    let file = "\(home.path)/config/toot/config.json"
    let damaged =
      #""users": { "robin@gone.example": { "instance": "gone.example", "username": "robin", "access_token": null }, "x": 7,"#
    try home.write(try server.toot().replacing(#""users": {"#, with: damaged), to: file)
    try home.write(
      "profiles: {old: {k: {username: old, consumer_key: k, consumer_secret: s3cret}}}\n", to: "\(home.path)/.trc")
    let outcome = try await home.run("login", "--import")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(accountFiles(home) == ["mira_demo.json"])
    for line in [
      "\(file): the user “robin@gone.example” has no valid access_token. This login was left out\n",
      "\(file): the user “x” has no instance and username. This login was left out\n",
      "\(home.path)/.trc: the profile of “old” has no token. This login was left out\n", "1 of 4 logins added\n",
    ] { #expect(outcome.error.contains(line), "\(outcome.error)") }
    // Without any complete login, the import has failed.
    try File.remove(file)
    let none = try await home.run("login", "--import")
    #expect(none.code == 65 && none.error.contains("0 of 1 logins added"), "\(none.error)")
    await server.stop()
  }

  @Test("a file that others can change is not read, and the error says how to fix this")
  func writableFile() async throws {
    let home = try emptyHome()
    let (file, toot) = ("\(home.path)/.trc", "\(home.path)/config/toot")
    let text = "profiles: {bird: {k: {username: bird, consumer_key: k, consumer_secret: s, token: t, secret: u}}}\n"
    for name in [file, "\(home.path)/.twurlrc", "\(toot)/config.json"] { try home.write(text, to: name) }
    chmod(file, 0o666)
    chmod(toot, 0o777)
    if geteuid() == 0 { chown("\(home.path)/.twurlrc", 1, 1) } else { unlink("\(home.path)/.twurlrc") }
    let outcome = try await home.run("login", "--import")
    #expect(outcome.code == 65 && outcome.error.contains("chmod 600 '\(file)'"), "\(outcome.error)")
    #expect(outcome.error.contains("chmod go-w '\(toot)'"), "\(outcome.error)")
    #expect(outcome.error.contains("anyone who can change it could give you their account"), "\(outcome.error)")
    if geteuid() == 0 { #expect(outcome.error.contains(".twurlrc: the file belongs to "), "\(outcome.error)") }
    #expect(accountFiles(home).isEmpty)
  }

  @Test("an import that finds no login reports this")
  func none() async throws {
    let home = try emptyHome()
    let outcome = try await home.run("login", "--import")
    #expect(outcome.code == 69 && outcome.error.contains("no login of t, twurl, toot was found"), "\(outcome.error)")
    let both = try await home.run("login", "--import", "--with-token")
    #expect(both.code == 64 && both.error.contains("cannot be combined"))
  }

  @Test("--with-token stores the token and its secret from standard input for an account with Twitter's v1.1 API")
  func signedToken() async throws {
    let server = try await Server.gnuSocial()
    let home = try TestInstallation()
    let members = Server.signed.replacing("ADDRESS", with: server.address).replacing("KEY", with: server.consumerKey)
      .replacing("SECRET", with: server.consumerSecret)
    try home.configure(#"{ "callback": { "port": 0 }, "accounts": { "bird": { \#(members) } } }"#)
    let (token, secret) = (try server.text("token"), try server.text("secret"))
    let half = try await home.start(["login", "bird", "--with-token"], input: .text("\(token)\n")).end()
    #expect(half.code == 77 && half.error.contains("no complete token was entered"), "\(half.error)")
    #expect(!File.exists(home.token(of: "bird")))
    let wrong = try await home.start(["login", "bird", "--with-token"], input: .text("\(token)\nwrong\n")).end()
    #expect(wrong.code != 0 && wrong.error.contains("Could not authenticate you"), "\(wrong.error)")
    #expect(!File.exists(home.token(of: "bird")) && !wrong.error.contains(token))
    let whole = try await home.start(["login", "bird", "--with-token"], input: .text("\(token)\n\(secret)\n")).end()
    #expect(whole.code == 0 && whole.output.contains("Authorised as @mira_demo"), "\(whole.error)")
    #expect(!whole.error.contains(secret) && !whole.output.contains(secret))
    #expect(try home.publishedIDs("bird").count > 0)
    await server.stop()
  }

  @Test("an X account with OAuth 1.0a is authorised by a token and secret from standard input")
  func xToken() async throws {
    let server = try await Server(
      "twitter",
      account: """
        "provider": "twitter", "consumer_key": "KEY", "consumer_secret": "SECRET", "endpoints": {
          "request_token": "ADDRESS/oauth/request_token", "authorize": "ADDRESS/oauth/authorize",
          "access_token": "ADDRESS/oauth/access_token",
          "verify_credentials": "ADDRESS/1.1/account/verify_credentials.json",
          "home_timeline": "ADDRESS/1.1/statuses/home_timeline.json" }
        """)
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 18765 }, "accounts": { "x": {
        "provider": "x", "consumer_key": "\(server.consumerKey)", "consumer_secret": "\(server.consumerSecret)",
        "endpoints": {
          "users_me": "\(server.address)/2/users/me",
          "home_timeline": "\(server.address)/2/users/{id}/timelines/reverse_chronological" } } } }
      """)
    let input = "\(try server.text("token"))\n\(try server.text("secret"))\n"
    let outcome = try await home.start(["login", "x", "--with-token"], input: .text(input)).end()
    #expect(outcome.code == 0 && outcome.output.contains("Authorised as @mira_demo"), "\(outcome.error)")
    #expect(try home.publishedIDs("x").count > 0)
    await server.stop()
  }
}
