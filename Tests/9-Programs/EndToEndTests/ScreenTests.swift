import Glibc
import Platform
import TestSupport
import Testing

/// The commands of the documentation on a pseudo-terminal, as a terminal emulator shows them (`Tests/Peers/screens.py`).
@Suite("The screens of the documentation's commands", .needsPeers, .needs("jq")) struct ScreenTests {
  /// Whether all pages are read on all terminals, as `make test-long` does.
  private static let isLong = getenv("HOMELINE_LONG_TESTS") != nil

  private static let pages: [String] = {
    let folders = ["docs/tutorial", "docs/how-to"].flatMap { folder in
      let names = (try? Folder.names(in: Repository.path(folder))) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
    return ["README.md", "README.zh-CN.md"] + folders
  }()

  /// - Returns: the number of screens.
  @discardableResult
  private func screens(_ arguments: [String], timeout: Duration) async throws -> Int {
    let python = try #require(Peers.python)
    let folder = TemporaryFolder()
    let outcome = try await ProgramRun.run(
      python, [Peers.path(of: "screens.py")] + arguments,
      environment: ProgramRun.environment(home: folder.path, ["PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": folder.path]),
      timeout: timeout)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    let count = try #require(outcome.output.firstMatch(of: /([0-9]+) screens/), "\(outcome.output)\(outcome.error)")
    return Int(count.1) ?? 0
  }

  @Test("No screen of the README's commands shows an escape sequence or cuts a word, at 80 and at 40 columns")
  func readme() async throws {
    let count = try await screens(
      ["--setting", "80", "--setting", "40", try ServiceUnitTests.programs, "README.md"], timeout: .seconds(280))
    #expect(count >= 30)
  }

  /// Some pages contain no command that runs here.
  @Test(
    "No screen of a page's commands shows an escape sequence, cuts a word or contradicts itself, on any terminal",
    .enabled(if: isLong, "HOMELINE_LONG_TESTS is not set; run: make test-long"), arguments: pages)
  func page(path: String) async throws {
    try await screens([try ServiceUnitTests.programs, path], timeout: .seconds(1200))
  }
}
