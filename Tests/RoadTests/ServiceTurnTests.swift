import Glibc
import Platform
import TestSupport
import Testing

@Suite("A service started during a login")
struct ServiceTurnTests {
  @Test("The service waits for the login, reloads on SIGHUP meanwhile, and then starts")
  func turn() async throws {
    let home = try RoadHome()
    let login = try await WaitingLogin(home, ["--no-browser"])
    let service = try home.start(["daemon"])
    let waiting = "waiting for the end of homeline login (process \(login.program.process))"
    #expect(await service.line(containing: waiting, on: .error) != nil)
    service.signal(SIGHUP)
    #expect(await service.line(containing: "\(home.configuration) was read again", on: .error) != nil)
    await login.giveUp()
    #expect(await service.line(containing: "is up", on: .error) != nil)
    service.signal(SIGTERM)
    #expect(await service.end().code == 0)
  }

  @Test("The service stops on SIGTERM while it waits, and the login continues")
  func stop() async throws {
    let home = try RoadHome()
    let login = try await WaitingLogin(home, ["--no-browser"])
    let service = try home.start(["daemon"])
    #expect(await service.line(containing: "waiting for the end", on: .error) != nil)
    service.signal(SIGTERM)
    #expect(await service.end().code == 0)
    #expect(kill(login.program.process, 0) == 0)
    #expect(try login.grant().path == "/callback")
    await login.giveUp()
  }

  @Test(
    "The first command starts a socket-activated service",
    .enabled(if: ServiceTurnTests.canActivate))
  func activation() async throws {
    let home = try RoadHome()
    let socket = "\(home.path)/run/homeline/control.socket"
    try Folder.create("\(home.path)/run/homeline")
    let variables = home.environment().map { "--setenv=\($0.key)=\($0.value)" }
    let manager = try ProgramRun(
      Self.activator,
      ["--listen=\(socket)", "--fdname=control"] + variables + [ProgramRun.product("homeline"), "daemon"],
      environment: home.environment())
    #expect(await manager.line(containing: "Listening on", on: .error) != nil)
    // A command without the service would not leave a service running.
    #expect(try await home.run("refresh").code == 77, "no account is authorised")
    let status = try await home.run("status")
    #expect(status.error.contains("homeline daemon (process \(manager.process))"))
    manager.signal(SIGTERM)
    #expect(await manager.end().code == 0)
    #expect(File.exists(socket), "the manager owns the socket")
  }

  /// Runs the program at the first connection.
  private static let activator = "/usr/bin/systemd-socket-activate"
  private static var canActivate: Bool { access(activator, X_OK) == 0 }
}
