import Platform
import TestSupport
import Testing

/// What commands say before the first login, and what works after `homeline init`.
@Suite("The first commands of a new user", .timeLimit(.minutes(3))) struct FirstCommandsTests {
  private func newHome() throws -> TestInstallation {
    let home = try TestInstallation()
    try File.remove(home.configuration)
    return home
  }

  @Test(
    "Before the first login, each command says in one line that `homeline login` adds an account",
    arguments: [
      ["show"], ["open"], ["read"], ["refresh"], ["search", "x"], ["account", "list"], ["post", "Hello"], ["check"],
      ["token"], ["export"],
    ])
  func nothing(arguments: [String]) async throws {
    let outcome = try await newHome().start(arguments).end()
    #expect(outcome.code != 0)
    #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    #expect(outcome.error.hasSuffix(": homeline login\n") && outcome.error.count <= 81, "\(outcome.error)")
  }

  @Test("Without a terminal, `homeline login` alone names what it can log in to")
  func login() async throws {
    let outcome = try await newHome().run("login")
    #expect(outcome.code == 64)
    #expect(
      outcome.error
        == "homeline: homeline login needs a name: a server such as social.example, or one of x, weibo, google, microsoft, fastmail, import\n"
    )
  }

  @Test(
    "A word that is not a server's name gets helpful advice",
    arguments: [
      ("mastodon", "Mastodon runs on many servers. Use the name of yours, as in: homeline login social.example"),
      ("bluesky", "Bluesky is not supported yet. homeline login, without a name, lists what is"),
      ("https://bsky.social/", "Bluesky is not supported yet. homeline login, without a name, lists what is"),
      ("demo", "to try homeline without an account: homeline demo"),
      (
        "social",
        "there is no account \"social\" (none is configured yet); a server has a name such as social.example"
      ),
    ])
  func word(word: String, sentence: String) async throws {
    let outcome = try await newHome().run("login", word)
    #expect(outcome.code == 64 && outcome.error == "homeline: \(sentence)\n", "\(outcome.error)")
  }

  @Test(
    "A first config.json without accounts is valid: the service runs, and a login adds an account",
    arguments: ["{}", #"{ "publish": ["txt"] }"#])
  func withoutAccounts(text: String) async throws {
    let home = try newHome()
    try home.configure(text)
    let check = try await home.run("check")
    #expect(check.code == 0 && check.output.contains("no errors"), "\(check.error)")
    for command in ["status", "doctor"] {
      let outcome = try await home.run(command)
      #expect(outcome.code != 78 && !(outcome.output + outcome.error).contains("accounts: missing"), "\(outcome.error)")
    }
    let daemon = try await RunningDaemon(home)
    #expect(await daemon.stop().outcome.code == 0)
    let login = try await home.run("login", "127.0.0.1:1", "--yes")
    #expect(login.code == 69, "\(login.error)")
  }

  @Test("After `homeline init` and a login, the view shows the new account, and nothing is hidden")
  func afterInit() async throws {
    let home = try newHome()
    let initial = try await home.run("init")
    #expect(initial.code == 0 && initial.error == "homeline: to add an account: homeline login\n", "\(initial.error)")
    #expect(try await home.run("check").code == 0)
    let program = try home.start(["sandbox", "--provider", "mastodon", "--port", "0"])
    let line = try #require(await program.line(containing: "server:"))
    let login = try await PendingLogin(home, [String(try #require(line.split(separator: " ").last)), "--yes"])
    try await login.authorise()
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error)")
    let view = try await home.run("show", "--view", "quiet")
    #expect(view.code == 0 && view.output.contains("http://127.0.0.1:"), "\(view.error)")
    #expect(try await home.run("open", "--print").code == 0)
    #expect(try await !home.run("status").error.contains("hidden"))
    let removed = try await home.run("account", "remove", "mastodon")
    #expect(removed.code == 0, "\(removed.error)")
    #expect(try await home.run("check").code == 0)
    program.signal(15)
    _ = await program.end()
  }

  @Test("Removing an account removes it from views with other accounts, but is refused for a view's only account")
  func views() async throws {
    let home = try TestInstallation()
    let account = #"{ "provider": "sandbox" }"#
    try home.configure(
      #"{ "views": { "both": { "accounts": ["a", "b"] } }, "accounts": { "a": \#(account), "b": \#(account) } }"#)
    #expect(try await home.run("account", "remove", "a").code == 0)
    #expect(try home.read(home.configuration).contains(#""both": { "accounts": ["b"] }"#))
    let refused = try await home.run("account", "remove", "b")
    #expect(refused.code == 78 && refused.error.contains("the view both in"), "\(refused.error)")
    #expect(refused.error.contains("lists only b") && refused.error.split(separator: "\n").count == 1)
  }
}
