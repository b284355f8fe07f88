import Platform
import TestSupport
import Testing

/// `homeline help TOPIC` on a pseudo-terminal and elsewhere.
@Suite("Help on a terminal", .needsPeers, .timeLimit(.minutes(2))) struct HelpPageTests {
  private let home = TemporaryFolder()

  private func help(_ topic: String, pages: Bool) async throws -> TerminalRun {
    let man = pages ? try await SharedFiles.write(in: home.path) + "/man" : home.path
    let variables = ["TERM": "xterm", "MANPATH": man, "MANPAGER": "cat", "PAGER": "cat", "MANROFFOPT": "-c"]
    return try await TerminalRun(["help", topic], environment: ProgramRun.environment(home: home.path, variables))
  }

  @Test("On a terminal, help opens the manual page of a command and of the configuration", .needs("man"))
  func pages() async throws {
    let login = try await help("login", pages: true)
    #expect(login.status == 0 && login.output.contains("HOMELINE-LOGIN(1)"), "\(login.output.prefix(300))")
    let configuration = try await help("config", pages: true)
    #expect(configuration.status == 0 && configuration.output.contains("HOMELINE-CONFIG(5)"))
  }

  @Test("Without the manual page, or without a terminal, help prints a short explanation")
  func text() async throws {
    let login = try await help("login", pages: false)
    #expect(login.status == 0 && login.output.contains("Usage: homeline login"), "\(login.output.prefix(300))")
    #expect(try await help("config", pages: false).output.contains("homeline-config(5)"))
    let piped = try await ProgramRun.run(
      ProgramRun.product("homeline"), ["help", "login"], environment: ProgramRun.environment(home: home.path))
    #expect(piped.output.contains("Usage: homeline login") && piped.code == 0)
  }
}
