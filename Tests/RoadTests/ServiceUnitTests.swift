import Platform
import TestSupport
import Testing

@Suite("The installed units under a real user manager")
struct ServiceUnitTests {
  @Test("systemd starts, watches, reloads and stops the service, hands sockets to it, and keeps it in its sandbox")
  func service() async throws {
    let programs = try #require(Folder.parent(of: ProgramRun.product("homelined")))
    let outcome = try await ProgramRun.run(
      "bash", [RoadHome.repository("Tests/Peers/service_by_systemd.sh"), programs],
      environment: ProcessEnvironment.variables(), timeout: .seconds(400))
    if outcome.code == 77 {
      print(outcome.output)
    } else {
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    }
  }
}
