import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

@Suite("A single service at a time") struct OneServiceTests {
  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  @Test("A second service names the running one and exits with 75")
  func second() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let second = try await fixture.home.run("daemon")
    #expect(second.code == 75)
    #expect(second.error.contains("\(daemon.program.process)"), "\(second.error)")
    #expect(try await daemon.status()["owner"]["pid"].integer == Int(daemon.program.process))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "A service started during a login waits for it to end, reloads on SIGHUP meanwhile, and then takes over",
    arguments: [true, false])
  func duringLogin(completesLogin: Bool) async throws {
    let fixture = try TwitterFixture(Self.members)
    let login = try await PendingLogin(fixture.home)
    let service = try fixture.home.start(["daemon"])
    let waiting = "waiting for homeline login (process \(login.program.process)) to exit"
    #expect(await service.line(containing: waiting, on: .error) != nil)
    service.signal(SIGHUP)
    #expect(await service.line(containing: "reloaded \(fixture.home.configuration)", on: .error) != nil)
    if completesLogin {
      #expect(try await login.authorise().text.contains("Authorised as"))
      #expect(await login.program.end().code == 0)
    } else {
      await login.giveUp()
    }
    #expect(await service.line(containing: " is up: ", on: .error) != nil)
    let daemon = try RunningDaemon(fixture.home, of: service)
    if completesLogin { #expect(try await daemon.request("refresh").contains(#""event":"end","exit":0"#)) }
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A waiting service exits immediately on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
  func waiting(signal: Int32) async throws {
    let fixture = try TwitterFixture(Self.members)
    let login = try await PendingLogin(fixture.home)
    let service = try fixture.home.start(["daemon"])
    _ = await service.line(containing: "waiting for ", on: .error)
    service.signal(signal)
    #expect(await service.end().code == 0)
    // The pending login must be unaffected.
    _ = try await login.authorise()
    #expect(await login.program.end().code == 0)
  }

  @Test("Concurrent logins share a fixed port, and Ctrl-C ends only one of them")
  func twoLogins() async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let fixture = try TwitterFixture(
      accounts: ["first", "second", "third"], Self.members, callback: #""port": \#(reserved.port)"#)
    let daemon = try await RunningDaemon(fixture.home)
    let first = try await PendingLogin(fixture.home, ["first"])
    let second = try await PendingLogin(fixture.home, ["second"])
    let third = try await PendingLogin(fixture.home, ["third"])
    third.program.signal(SIGINT)
    #expect(await third.program.end().code == 128 + SIGINT)
    async let one = first.authorise()
    async let other = second.authorise()
    #expect(try await one.text.contains("first"))
    #expect(try await other.text.contains("second"))
    for login in [first, second] {
      let outcome = await login.program.end()
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    #expect(try await eventually { try !fixture.home.temporaryFiles().contains { $0.contains("/third/") } })
    #expect(!File.exists(fixture.home.token(of: "third")))
    #expect(File.exists(fixture.home.token(of: "first")) && File.exists(fixture.home.token(of: "second")))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "The first command that connects starts the socket-activated service",
    .enabled(if: OneServiceTests.canActivate))
  func activation() async throws {
    let home = try TestInstallation()
    let socket = "\(home.path)/run/homeline/control.socket"
    try Folder.create("\(home.path)/run/homeline")
    let variables = home.environment().map { "--setenv=\($0.key)=\($0.value)" }
    let manager = try ProgramRun(
      Self.activator,
      ["--listen=\(socket)", "--fdname=control"] + variables + [ProgramRun.product("homeline"), "daemon"],
      environment: home.environment())
    #expect(await manager.line(containing: "Listening on", on: .error) != nil)
    // The service must have responded: without it, the command would leave no service running.
    #expect(try await home.run("refresh").code == 77, "no account is authorised")
    let status = try await home.run("status", "-v")
    #expect(status.error.contains("homeline daemon (process \(manager.process))"))
    manager.signal(SIGTERM)
    #expect(await manager.end().code == 0)
    #expect(File.exists(socket), "the manager owns the socket")
  }

  /// A program that starts the service upon the first connection.
  private static let activator = "/usr/bin/systemd-socket-activate"
  private static var canActivate: Bool { access(activator, X_OK) == 0 }
}
