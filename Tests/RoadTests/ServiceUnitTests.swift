import Platform
import TestSupport
import Testing

@Suite("The installed systemd units")
struct ServiceUnitTests {
  @Test("systemd starts, watches, reloads and stops the service, passes its sockets and applies its sandboxing")
  func service() async throws {
    try await run("service_by_systemd.sh")
  }

  @Test("The commands of the tutorial work in their order")
  func tutorial() async throws {
    try await run("tutorial_by_systemd.sh")
  }

  private func run(_ script: String) async throws {
    let programs = try #require(Folder.parent(of: ProgramRun.product("homelined")))
    let outcome = try await ProgramRun.run(
      "bash", [RoadHome.repository("Tests/Peers/\(script)"), programs],
      environment: ProcessEnvironment.variables(), timeout: .seconds(400))
    if outcome.code == 77 {
      print(outcome.output)
    } else {
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    }
  }
}
