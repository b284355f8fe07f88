import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Obstacles to a login: a port in use, a signal, another user.
@Suite struct LoginObstacleTests {
  private let screenName = SandboxUser.screenName

  // MARK: Ports and signals

  @Test(
    "A callback port in use ends the login with 73; the error names the setting and the program that holds the port"
  )
  func portTaken() async throws {
    let server = try TestInstallation()
    let holder = try await PendingLogin(server)
    let port = try holder.grant().port
    let home = try TestInstallation(callback: "\"port\": \(port)")
    let outcome = try await home.run("login")
    #expect(outcome.code == 73)
    #expect(outcome.error.contains("127.0.0.1:\(port) is taken by homelined (process \(holder.program.process))"))
    #expect(outcome.error.contains("callback.port"))
    #expect(try home.names(in: home.stateFolder).isEmpty)
    await holder.giveUp()
  }

  @Test(
    "If systemd holds the callback port for a stopped service, the error suggests the command that starts it"
  )
  func portOfSystemd() async throws {
    let home = try TestInstallation()
    let script = "\(home.path)/systemd"
    // The kernel calls a process by the name of its script.
    try home.write(
      """
      #!/usr/bin/python3
      import socket, sys
      listening = socket.create_server(("127.0.0.1", 0))
      print(listening.getsockname()[1], "is the port", flush=True)
      sys.stdin.read()
      """, to: script)
    chmod(script, 0o700)
    let holder = try ProgramRun(script, [], environment: home.environment(), input: .open)
    let port = try #require(await holder.line(containing: "is the port")).prefix { $0 != " " }
    try home.configure(
      #"{ "callback": { "port": \#(port) }, "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox" } } }"#
    )
    let outcome = try await home.run("login")
    #expect(outcome.code == 73, "\(outcome.error)")
    #expect(outcome.error.contains("is held by systemd (process \(holder.process))"), "\(outcome.error)")
    #expect(outcome.error.contains("Start it: systemctl --user start homeline"), "\(outcome.error)")
    #expect(!outcome.error.contains("Stop it"), "\(outcome.error)")
    holder.endInput()
    _ = await holder.end()
  }

  @Test("Every login sends the configured callback port and path to the provider")
  func chosenPort() async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let home = try TestInstallation(callback: #""port": \#(reserved.port), "path": "/back/again""#)
    for _ in 0..<2 {
      let login = try await PendingLogin(home)
      let callback = try login.grant()
      #expect(callback.port == reserved.port)
      #expect(callback.path == "/back/again")
      #expect(try login.browser.follow(callback).text.contains("Authorised as"))
      #expect(await login.program.end().code == 0)
    }
  }

  @Test("A login ended by a signal leaves neither a lock nor partial files", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signalled(number: Int32) async throws {
    let home = try TestInstallation()
    // The input is a pipe, which gives the program another thread that could receive the signal.
    let login = try await PendingLogin(home, input: .open)
    login.program.signal(number)
    let outcome = await login.program.end()
    #expect(outcome.code == 128 + number)
    #expect(try home.names(in: home.stateFolder).isEmpty)
    try await home.logIn()
  }

  @Test("A login under nohup survives SIGHUP")
  func nohup() async throws {
    let home = try TestInstallation()
    let login = try ProgramRun(
      "bash", ["-c", "trap '' HUP; exec \"$0\" login", ProgramRun.product("homeline")], environment: home.environment())
    let address = try LocalURL(#require(await login.line(containing: "oauth_token=")))
    login.signal(SIGHUP)
    #expect(try ScriptedBrowser().get(address).status == 200)
    #expect(login.isRunning)
    login.signal(SIGTERM)
    #expect(await login.end().code == 128 + SIGTERM)
  }

  // MARK: Another user

  /// Replaces the account's stored user with a different one.
  private func forgeFormerUser(_ home: TestInstallation) async throws {
    try await home.logIn()
    try await home.sql("UPDATE state SET user_id = '4711', user_screen_name = 'former'")
    let token = try home.read(home.token)
      .replacing("\"id\": \"\(SandboxUser.id)\"", with: "\"id\": \"4711\"")
      .replacing("\"screen_name\": \"\(screenName)\"", with: "\"screen_name\": \"former\"")
    try #require(token.contains("4711") && token.contains("former"))
    try home.write(token, to: home.token)
  }

  @Test("A login as a different user names both users, stores nothing and exits with 77")
  func otherUser() async throws {
    let home = try TestInstallation()
    try await forgeFormerUser(home)
    let before = try [home.read(home.token), home.read(home.timeline)]
    let login = try await PendingLogin(home)
    let page = try await login.authorise()
    #expect(page.text.contains("<h1>Not authorised</h1>"))
    #expect(page.text.contains("@former") && page.text.contains("@\(screenName)"))
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("@\(screenName) (\(SandboxUser.id)"))
    #expect(outcome.error.contains("@former's (4711"))
    #expect(outcome.error.contains("--switch-user"))
    #expect(try [home.read(home.token), home.read(home.timeline)] == before)
    #expect(try home.names(in: home.stateFolder) == ["token.json"])
  }

  @Test("`--switch-user` moves the previous user's files aside and starts afresh")
  func switchUser() async throws {
    let home = try TestInstallation()
    try await forgeFormerUser(home)
    let former = try home.read(home.token)
    let outcome = try await home.logIn("--switch-user")
    let folders = outcome.output.split(separator: "\n").filter { $0.contains(".was-4711-") }
      .map { String($0.drop { $0 == " " }) }
    #expect(folders.count == 3)
    for folder in folders { #expect(try FileStatus.of(folder).isFolder) }
    #expect(try home.read(#require(folders.first { $0.contains("/state/") }) + "/token.json") == former)
    #expect(try home.read(home.token).contains("\"\(SandboxUser.id)\""))
    #expect(outcome.output.contains("200 new posts"))
    #expect(try await home.jq(".user.screen_name") == screenName)
  }
}
