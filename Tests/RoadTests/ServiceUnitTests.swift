import Platform
import TestSupport
import Testing

@Suite("The installed unit under a real user manager")
struct ServiceUnitTests {
  @Test("systemd starts the unit, it refreshes an account that is due, and nothing it says is a failure of the unit")
  func refresh() async throws {
    let programs = try #require(Folder.parent(of: ProgramRun.product("homelined")))
    let outcome = try await ProgramRun.run(
      "bash", [RoadHome.repository("Tests/Peers/refresh_by_systemd.sh"), programs],
      environment: ProcessEnvironment.variables(), timeout: .seconds(120))
    if outcome.code == 77 {
      print(outcome.output)
    } else {
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    }
  }
}
