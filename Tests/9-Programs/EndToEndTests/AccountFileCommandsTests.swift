import Glibc
import Platform
import TestSupport
import Testing

/// Accounts in `config.d`, and the commands that list and change accounts.
@Suite("`homeline account`, `homeline init` and config.d", .timeLimit(.minutes(3))) struct AccountFileCommandsTests {
  private static let sandbox = #"{ "provider": "sandbox", "keep_posts": 20 }"#

  private func addFile(_ name: String, _ text: String = sandbox, to home: TestInstallation) throws -> String {
    let path = "\(home.path)/config/homeline/config.d/\(name).json"
    try home.write(text + "\n", to: path)
    return path
  }

  // MARK: Reading

  @Test("`homeline check` names the file that contains each problem, and both files if they define the same account")
  func check() async throws {
    let home = try TestInstallation()
    let bird = try addFile("bird", #"{ "provider": "sandbocks" }"#, to: home)
    let demo = try addFile("demo", to: home)
    let outcome = try await home.run("check")
    #expect(outcome.code == 78)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(bird):1:15: accounts.bird.provider: unknown provider") == true)
    #expect(
      lines.last?.hasPrefix("\(demo):1:1: accounts.demo: duplicate key; the first is at \(home.configuration):1:")
        == true)
  }

  @Test("`--config FILE` uses the accounts in FILE.d")
  func otherFile() async throws {
    let home = try TestInstallation()
    _ = try addFile("bird", to: home)
    let other = "\(home.path)/other.json"
    try home.write("{}", to: other)
    try home.write(Self.sandbox, to: "\(other).d/fish.json")
    let outcome = try await home.run("check", "--config", other)
    #expect(outcome.output == "\(other): no errors, 1 account\nfish: sandbox\n", "\(outcome.error)")
    // Another path to the user's own configuration selects the same accounts.
    let own = try await home.run("check", "--config", home.configuration)
    #expect(own.output.hasSuffix("2 accounts\ndemo: sandbox\nbird: sandbox\n"), "\(own.output)")
  }

  @Test("`homeline check` and `homeline doctor` warn if other users can read a secret in a config.d file")
  func openSecret() async throws {
    let home = try TestInstallation()
    let file = try addFile(
      "api",
      #"{ "provider": "oauth2", "issuer": "https://as.example", "client_id": "c", "client_secret": "s3cret+" }"#,
      to: home)
    chmod(file, 0o644)
    let check = try await home.run("check")
    #expect(check.error.contains("can read or change \(file) (mode 644), which contains accounts.api.client_secret"))
    #expect(try await home.run("doctor").output.contains("can read or change \(file)"))
    chmod(file, 0o600)
    #expect(try await home.run("check").error == "")
  }

  @Test("The service reads a new config.d file on SIGHUP, and an account can log in without config.json")
  func reload() async throws {
    let home = try TestInstallation()
    let daemon = try await RunningDaemon(home)
    _ = try addFile("bird", to: home)
    daemon.program.signal(SIGHUP)
    #expect(try await eventually { try await daemon.status()["accounts"].items.count == 2 })
    try await home.logIn("bird")
    #expect(try home.publishedIDs("bird").count == 20)
    #expect(await daemon.stop().outcome.code == 0)
    try File.remove(home.configuration)
    let list = try await home.run("account", "list")
    #expect(list.output.hasPrefix("bird  sandbox  -  enabled  /"), "\(list.error)")
  }

  // MARK: Backup

  @Test("A backup contains the files in config.d, and a restore writes them back", arguments: [false, true])
  func backup(withTokens: Bool) async throws {
    let home = try TestInstallation()
    let file = try addFile("bird", to: home)
    try home.write("correct horse battery\n", to: "\(home.path)/passphrase")
    let options = withTokens ? ["--with-tokens", "--passphrase-file", "\(home.path)/passphrase"] : []
    try await home.logIn("bird")
    let saved = try await home.start(["backup", "\(home.path)/saved"] + options).end()
    try #require(saved.code == 0, "\(saved.error)")
    let other = try TestInstallation()
    try File.remove(other.configuration)
    let restored = try await other.start(
      ["restore", "\(home.path)/saved"] + (withTokens ? ["--passphrase-file", "\(home.path)/passphrase"] : [])
    ).end()
    try #require(restored.code == 0, "\(restored.error)")
    let copy = "\(other.path)/config/homeline/config.d/bird.json"
    #expect(try other.read(copy) == home.read(file))
    #expect(try FileStatus.of(copy).permissions == 0o600)
    #expect(try other.read(other.configuration) == home.read(home.configuration))
    #expect(File.exists(other.token(of: "bird")) == withTokens)
  }

  @Test("`homeline restore` does not replace a file in config.d")
  func restoreRefusal() async throws {
    let home = try TestInstallation()
    try await home.run("backup", "\(home.path)/saved")
    let other = try TestInstallation()
    try File.remove(other.configuration)
    let file = try addFile("bird", to: other)
    let outcome = try await other.run("restore", "\(home.path)/saved")
    #expect(outcome.code == 73 && outcome.error.contains("\(file) already exists"), "\(outcome.error)")
  }

  // MARK: Commands

  @Test("`homeline account disable` and `enable` edit the file that contains the account, and the service reloads it")
  func disable() async throws {
    let home = try TestInstallation()
    let file = try addFile("bird", to: home)
    let daemon = try await RunningDaemon(home)
    let before = try home.read(home.configuration)
    for (name, path) in [("bird", file), ("demo", home.configuration)] {
      let outcome = try await home.run("account", "disable", name)
      #expect(outcome.code == 0 && outcome.output == "\(name): disabled in \(path)\n", "\(outcome.error)")
      let status = try await daemon.status()["accounts"].items.first { $0["account"].text == name }
      #expect(status?["waits_for"].text == "it is not enabled")
      #expect(try await home.run("account", "disable", name).output == "\(name): already disabled\n")
    }
    let list = try await home.run("account", "list")
    #expect(
      list.output
        == "demo  sandbox  -  not enabled  \(home.configuration)\nbird  sandbox  -  not enabled  \(file)\n")
    #expect(try await home.run("account", "enable", "demo").code == 0)
    #expect(
      try home.read(home.configuration) == before.replacing("\"provider\"", with: "\"enabled\": true, \"provider\""))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "`homeline account remove` revokes the token and removes the account, but keeps its posts",
    arguments: [false, true])
  func remove(withService: Bool) async throws {
    let home = try TestInstallation()
    let file = try addFile("bird", to: home)
    let daemon = withService ? try await RunningDaemon(home) : nil
    try await home.logIn("bird")
    let outcome = try await home.run("account", "remove", "bird")
    #expect(outcome.code == 0 && outcome.output.hasSuffix("bird: removed from \(file)\n"), "\(outcome.error)")
    #expect(!File.exists(file) && !File.exists(home.token(of: "bird")))
    #expect(File.exists(home.database(of: "bird")))
    if let daemon {
      #expect(try await daemon.status()["accounts"].items.compactMap { $0["account"].text } == ["demo"])
      #expect(await daemon.stop().outcome.code == 0)
    }
  }

  @Test("An account that a view shows is not removed, and keeps its token")
  func removeShown() async throws {
    let home = try TestInstallation()
    try home.configure(
      #"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "views": { "v": { "accounts": ["demo"] } }, "accounts": { "demo": \#(Self.sandbox) } }"#
    )
    try await home.logIn()
    let before = try home.read(home.configuration)
    let outcome = try await home.run("account", "remove", "demo")
    #expect(
      outcome.code == 78 && outcome.error.contains("the view v in \(home.configuration) lists only demo"),
      "\(outcome.error)")
    #expect(try home.read(home.configuration) == before)
    #expect(File.exists(home.token))
  }

  @Test(
    "`homeline account` refuses a missing, unknown or superfluous account name",
    arguments: [["remove"], ["disable", "birb"], ["list", "demo"]])
  func wrongArguments(arguments: [String]) async throws {
    let home = try TestInstallation()
    let outcome = try await home.start(["account"] + arguments).end()
    #expect(outcome.code == 64, "\(outcome.error)")
  }

  @Test("`homeline init` writes a valid, private configuration, and never changes an existing one")
  func initial() async throws {
    let home = try TestInstallation()
    let text = try home.read(home.configuration)
    let refused = try await home.run("init")
    #expect(refused.code == 73 && refused.error.contains("already exists and was not changed"), "\(refused.error)")
    #expect(try home.read(home.configuration) == text)
    try File.remove(home.configuration)
    try #require(symlink("/mnt/away/config.json", home.configuration) == 0)
    let away = try await home.run("init")
    #expect(
      away.code == 73
        && away.error == "homeline: \(home.configuration) is a link to /mnt/away/config.json, which does not exist\n",
      "\(away.error)")
    #expect(try ProcessEnvironment.linkTarget(home.configuration) == "/mnt/away/config.json")
    try File.remove(home.configuration)
    let outcome = try await home.run("init")
    #expect(outcome.code == 0 && outcome.output == "wrote \(home.configuration)\n", "\(outcome.error)")
    #expect(try FileStatus.of(home.configuration).permissions == 0o600)
    #expect(try await home.run("check").code == 0)
  }
}
