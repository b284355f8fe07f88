import Glibc
import KeyringTestSupport
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// `homeline keyring`, and accounts with encrypted tokens, with a real keyring (gnome-keyring).
@Suite(.timeLimit(.minutes(4))) struct KeyringCommandTests {
  /// An account with a renewable token, in a session with a bus. The test controls the keyring.
  private struct Fixture {
    let session: KeyringSession
    let x: XFixture
    var home: TestInstallation { x.home }

    init(_ more: String = #""keep_posts": 20"#) async throws {
      session = try await KeyringSession.open()
      x = try XFixture(
        more,
        variables: ["DBUS_SESSION_BUS_ADDRESS": try #require(session.environment["DBUS_SESSION_BUS_ADDRESS"])])
    }

    func logIn() async throws { try await x.logIn() }

    /// Makes the server refuse the access token, so that the next refresh renews it.
    /// - Returns: the access token, as `homeline token` prints it.
    func endToken() async throws -> String {
      let output = try await home.run("token", "bird").output
      let access = String(output.dropLast())
      let isKnown = x.server.with { server in
        guard let grant = server.oauth2.grant(of: access) else { return false }
        server.oauth2.revoke(grant)
        return true
      }
      try #require(isKnown)
      return output
    }

    var token: String { get throws { try home.read(x.tokenFile) } }

    /// Whether the token file is encrypted.
    var isEncrypted: Bool {
      get throws { try token.contains(#""cipher": "aes-256-gcm""#) && !token.contains("access_token") }
    }

    func error() throws -> JSONValue { try home.published("bird")["error"] }
  }

  @Test(
    "`homeline keyring enable` encrypts the token and edits the configuration, and `homeline keyring disable` undoes both",
    arguments: [false, true])
  func bothWays(withService: Bool) async throws {
    let fixture = try await Fixture(#""keep_posts": 20, "refresh_seconds": 86400"#)
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    let access = try await fixture.home.run("token").output
    let plain = try fixture.home.read(fixture.home.configuration)
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let enabled = try await fixture.home.run("keyring", "enable")
    #expect(enabled.code == 0 && enabled.output == "bird: the token is now encrypted\n", "\(enabled.error)")
    #expect(try fixture.isEncrypted)
    #expect(try fixture.home.read(fixture.home.configuration).contains(#""protect": "keyring""#))
    #expect(try await fixture.home.run("token").output == access)
    #expect(try await fixture.home.run("refresh").code == 0)
    let again = try await fixture.home.run("keyring", "enable")
    #expect(again.code == 0 && again.output == "bird: the token is already encrypted\n", "\(again.error)")
    let status = try await fixture.home.run("keyring", "status")
    #expect(status.code == 0)
    for part in ["protect  keyring", "unlocked; gnome-keyring", "encrypted with the key "] {
      #expect(status.output.contains(part), "\(status.output)")
    }
    let disabled = try await fixture.home.run("keyring", "disable")
    #expect(disabled.code == 0 && disabled.output == "bird: the token is now in a plain file\n", "\(disabled.error)")
    #expect(try !fixture.isEncrypted)
    #expect(try await fixture.home.run("token").output == access)
    let left = try await fixture.session.run("secret-tool", ["search", "--all", "application", "homeline"])
    #expect(!(left.output + left.error).contains("token-key"), "the key is deleted")
    #expect(
      try fixture.home.read(fixture.home.configuration).contains(#""protect": "files""#)
        && plain.contains("accounts"))
    #expect(await daemon?.stop().outcome.code ?? 0 == 0)
  }

  @Test("A login and a renewal both store the token encrypted")
  func newTokens() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    let enabled = try await fixture.home.run("keyring", "enable")
    #expect(enabled.code == 0 && enabled.output == "", "\(enabled.error)")
    try await fixture.logIn()
    #expect(try fixture.isEncrypted)
    let former = try await fixture.endToken()
    let before = try fixture.token
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try fixture.isEncrypted)
    #expect(try fixture.token != before)
    #expect(try await fixture.home.run("token").output != former)
    #expect(try fixture.home.names(in: fixture.home.stateFolder(of: "bird")) == ["token.json"])
  }

  @Test(
    "While the keyring is locked, the service reports this, keeps the published files, and resumes once the keyring is unlocked"
  )
  func locked() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
    let posts = try fixture.home.publishedIDs("bird")
    try await fixture.session.start(.locked)
    let daemon = try await RunningDaemon(fixture.home)
    let refused = try await fixture.home.run("refresh")
    #expect(refused.code == 75 && refused.error.contains("the keyring is locked: unlock it"), "\(refused.error)")
    #expect(try fixture.error()["code"].text == "secret-unavailable")
    #expect(try fixture.home.publishedIDs("bird") == posts)
    #expect(try await fixture.home.run("login", "--no-browser").code == 75)
    #expect(try await fixture.home.run("token").code == 75)
    for command in ["status", "check"] {
      let outcome = try await fixture.home.run(command)
      #expect((outcome.output + outcome.error).contains("the keyring is locked"), "\(command)")
    }
    let status = try await fixture.home.run("keyring", "status")
    #expect(status.code == 75 && status.output.contains("the keyring is locked"))
    #expect(try fixture.isEncrypted)
    try await fixture.session.start(.unlocked)
    #expect(try await eventually { try fixture.error() == .null }, "\(daemon.log)")
    #expect(try await fixture.home.run("token").code == 0)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "If the service was killed after a renewal's response arrived, the next start completes the renewal, even with a locked keyring"
  )
  func killedAfterResponse() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
    let former = try fixture.token
    _ = try await fixture.endToken()
    #expect(try await fixture.home.run("refresh").code == 0)
    let access = try await fixture.home.run("token").output
    // A kill between the write and the rename leaves the response, the rest of the allocated space, and the old token.
    try fixture.home.write(
      fixture.token + String(repeating: "\0", count: 3000), to: fixture.x.tokenFile + ".next")
    try fixture.home.write(former, to: fixture.x.tokenFile)
    try await fixture.session.start(.locked)
    let daemon = try await RunningDaemon(fixture.home)
    #expect(try await eventually { !File.exists(fixture.x.tokenFile + ".next") })
    await daemon.stop(SIGKILL)
    try await fixture.session.start(.unlocked)
    #expect(try await fixture.home.run("token").output == access)
    #expect(try await fixture.home.run("refresh").code == 0)
  }

  @Test("If a process is killed while renewing an encrypted token, the next process renews it")
  func killedBeforeResponse() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
    _ = try await fixture.endToken()
    // The server issues a token, withholds the response, and accepts the used refresh token for a while.
    fixture.x.server.with { $0.oauth2.policy.grace = .seconds(600) }
    fixture.x.server.withFaults { $0.add(.delay(.seconds(100)), to: XRoute.token.path) }
    let requests = fixture.x.tokenRequests
    let daemon = try await RunningDaemon(fixture.home)
    let refresh = try fixture.home.start(["refresh"])
    // If the process is killed before its request arrives, the next one gets the delayed response.
    #expect(try await eventually { fixture.x.tokenRequests > requests }, "\(daemon.log)")
    #expect(File.exists(fixture.x.tokenFile + ".next"))
    await daemon.stop(SIGKILL)
    _ = await refresh.end()
    #expect(try fixture.isEncrypted)
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try fixture.isEncrypted)
    #expect(try await fixture.home.run("token").code == 0)
  }

  @Test("`homeline keyring` can be killed at any moment without losing a token, and can then be repeated")
  func killedCommands() async throws {
    let fixture = try await Fixture(#""keep_posts": 20, "enabled": false"#)
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    let access = try await fixture.home.run("token", "bird").output
    var generator = SeededGenerator(seed: 16)
    var killed = 0
    for round in 0..<12 {
      let action = round % 2 == 0 ? "enable" : "disable"
      let run = try fixture.home.start(["keyring", action])
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...150, using: &generator)))
      kill(-run.process, SIGKILL)
      if await run.end().code == 128 + SIGKILL { killed += 1 }
      let outcome = try await fixture.home.run("token", "bird")
      #expect(outcome.output == access, "\(action), round \(round): \(outcome.error)")
    }
    #expect(killed > 0)
    let enabled = try await fixture.home.run("keyring", "enable")
    #expect(enabled.code == 0, "\(enabled.error)")
    #expect(try fixture.isEncrypted)
    let disabled = try await fixture.home.run("keyring", "disable")
    #expect(disabled.code == 0, "\(disabled.error)")
    #expect(try !fixture.isEncrypted)
    #expect(try await fixture.home.run("token", "bird").output == access)
    #expect(try fixture.home.temporaryFiles() == [])
  }

  @Test(
    "`homeline keyring enable` removes temporary files of a killed enable, even for a disabled account"
  )
  func temporaryFiles() async throws {
    let fixture = try await Fixture(#""keep_posts": 20, "enabled": false"#)
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    let files = [fixture.x.tokenFile, fixture.home.configuration].map { $0 + ".new-1" }
    for file in files { try fixture.home.write("{}", to: file) }
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
    #expect(files.filter(File.exists) == [])
  }

  @Test("A service that starts after `homeline keyring enable` was interrupted encrypts the remaining tokens")
  func interrupted() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
    let protected = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(protected.replacing("\"protect\": \"keyring\"", with: "\"protect\": \"files\""))
    try await fixture.logIn()
    #expect(try !fixture.isEncrypted)
    try fixture.home.configure(protected)
    let daemon = try await RunningDaemon(fixture.home)
    #expect(try await eventually { try fixture.isEncrypted })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "Without a session bus, a Secret Service or a keyring, `homeline keyring enable` changes nothing and reports why"
  )
  func nowhere() async throws {
    let fixture = try await Fixture()
    try await fixture.logIn()
    let before = (try fixture.token, try fixture.home.read(fixture.home.configuration))
    func expectRefusal(_ reason: String, _ variables: [String: String] = [:]) async throws {
      let outcome = try await fixture.home.run("keyring", "enable", variables: variables)
      #expect(outcome.code == 75 && outcome.error.contains(reason), "\(outcome.error)")
      #expect(try fixture.token == before.0)
      #expect(try fixture.home.read(fixture.home.configuration) == before.1)
    }
    try await expectRefusal("no keyring is running")
    try await expectRefusal(
      "the session bus cannot be reached", ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
    try await fixture.session.start(.fresh)
    try await expectRefusal("there is no default keyring")
  }

  @Test("A token whose key has been deleted is kept until a login replaces it")
  func deletedKey() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    try await fixture.logIn()
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
    _ = try await fixture.session.run("secret-tool", ["clear", "application", "homeline"])
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 78 && outcome.error.contains("does not have the key"), "\(outcome.error)")
    let status = try await fixture.home.run("keyring", "status")
    #expect(status.code == 78 && status.output.contains("homeline keyring enable"), "\(status.output)")
    let enabled = try await fixture.home.run("keyring", "enable")
    #expect(enabled.code == 78 && enabled.error.contains("log in again"), "\(enabled.error)")
    try await fixture.logIn()
    #expect(try fixture.isEncrypted)
    #expect(
      try fixture.home.names(in: fixture.home.stateFolder(of: "bird")).contains { $0.contains("json.encrypted-") })
    #expect(try await fixture.home.run("refresh").code == 0)
  }

  @Test("`homeline keyring enable` exits with 75 while the state owner uses an older configuration")
  func otherConfiguration() async throws {
    let fixture = try await Fixture()
    try await fixture.session.start(.unlocked)
    // Without a service, the command itself owns the state, and it does not reload its configuration.
    let login = try await PendingLogin(fixture.home, ["bird", "--no-browser"])
    let outcome = try await fixture.home.run("keyring", "enable")
    #expect(outcome.code == 75 && outcome.error.contains("try again"), "\(outcome.error)")
    login.program.signal(SIGINT)
    _ = await login.program.end()
    #expect(try await fixture.home.run("keyring", "enable").code == 0)
  }
}
