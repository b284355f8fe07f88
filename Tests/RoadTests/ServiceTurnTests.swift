import Glibc
import TestSupport
import Testing

@Suite("A service that is started while a login has the state")
struct ServiceTurnTests {
  @Test("waits for the login's end, reads its configuration again meanwhile, and then begins")
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

  @Test("ends well when it is stopped while it waits, and leaves the login alone")
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
}
