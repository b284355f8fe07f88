import Glibc
import Platform
import TestSupport
import Testing

/// Commands whose service does not answer, and Ctrl-C.
@Suite("A service that does not answer", .timeLimit(.minutes(2))) struct FrozenServiceTests {
  @Test("Commands report within moments that the service is stopped, and resume when it does")
  func frozen() async throws {
    let home = try TestInstallation()
    let daemon = try await RunningDaemon(home)
    let process = daemon.program.process
    kill(process, SIGSTOP)
    let says =
      "the service (process \(process)) is stopped, so it does not respond. To continue it: kill -CONT \(process)"
    let refresh = try home.start(["outbox"])
    #expect(await refresh.line(containing: says, on: .error) != nil)
    let status = try await home.run("status")
    #expect(status.code == 0 && status.error.contains(says), "\(status.error)")
    let doctor = try await home.run("doctor")
    #expect((doctor.output + doctor.error).contains("is stopped, so it does not respond"), "\(doctor.output)")
    let restore = try await home.run("restore", "/dev/null")
    #expect(restore.code == 75 && restore.error.contains("To end it: kill \(process)\n"), "\(restore.error)")
    kill(process, SIGCONT)
    #expect(await refresh.end().code == 0)
    await daemon.stop()
  }

  @Test("Ctrl-C ends `homeline login` by the signal, even after it has added an account", .needs("script"))
  func interrupted() async throws {
    let home = try TestInstallation()
    try home.configure(#"{ "callback": { "port": 0 }, "accounts": {} }"#)
    let server = try home.start(["sandbox", "--provider", "mastodon", "--port", "0"])
    let line = try #require(await server.line(containing: "server:"))
    let address = String(try #require(line.split(separator: " ").last))
    for target in ["\(address) --yes", "mastodon"] {
      let program = try ProgramRun(
        "script", ["-qec", "'\(ProgramRun.product("homeline"))' login \(target) --no-browser", "/dev/null"],
        environment: home.environment(["SHELL": "/bin/sh", "TERM": "xterm"]), input: .open)
      try #require(await program.line(containing: "/oauth/authorize") != nil)
      program.type("\u{3}")
      let outcome = await program.end()
      #expect(outcome.code == 130, "\(outcome.output)")
    }
    server.signal(SIGTERM)
    _ = await server.end()
  }

  @Test("Ctrl-C cancels the login at the service", .needs("script"))
  func cancelled() async throws {
    let home = try TestInstallation()
    let daemon = try await RunningDaemon(home)
    let program = try ProgramRun(
      "script", ["-qec", "'\(ProgramRun.product("homeline"))' login demo --no-browser", "/dev/null"],
      environment: home.environment(["SHELL": "/bin/sh", "TERM": "xterm"]), input: .open)
    try #require(await program.line(containing: "oauth_token=") != nil)
    #expect(try await daemon.status()["accounts"].items.first?["activity"].text != "idle")
    program.type("\u{3}")
    #expect(await program.end().code == 130)
    #expect(try await daemon.becomesIdle())
    await daemon.stop()
  }

  @Test("Before the first account, `homeline status` prints one line")
  func firstStatus() async throws {
    let home = try TestInstallation()
    try File.remove(home.configuration)
    let status = try await home.run("status")
    #expect(status.code == 0 && status.output == "")
    #expect(status.error == "homeline: there is no account yet. To add one: homeline login\n")
  }

  @Test("`homeline account` and `homeline keyring` alone show the accounts and the keyring")
  func alone() async throws {
    let home = try TestInstallation()
    let accounts = try await home.run("account")
    #expect(accounts.code == 0 && accounts.output.hasPrefix("demo  sandbox  "), "\(accounts.output)")
    let keyring = try await home.run("keyring")
    #expect(keyring.code == 0 && keyring.output.contains("protect"), "\(keyring.output)\(keyring.error)")
  }
}
