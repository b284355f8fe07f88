import Platform
import TestSupport
import Testing

/// The commands in the README, in both languages.
@Suite("The README", .timeLimit(.minutes(5))) struct ReadmeTests {
  private let folder = TemporaryFolder()

  @Test(
    "The README's commands work in the given order", .needs("jq"), .needs("python3"), .needs("strip"),
    arguments: ["README.md", "README.zh-CN.md"])
  func commands(readme: String) async throws {
    // Without XDG variables, because the README names the usual folders.
    var variables = ProgramRun.environment(home: folder.path)
    for name in variables.keys where name.hasPrefix("XDG_") { variables[name] = nil }
    let outcome = try await ProgramRun.run(
      "python3",
      [
        Repository.path("Tests/Peers/walk_readme.py"), Repository.path(readme),
        try ServiceUnitTests.programs,
      ],
      environment: variables, timeout: .seconds(280))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
  }
}
