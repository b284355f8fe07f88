import Platform
import TestSupport
import Testing

@testable import homeline_manual

/// mandoc(1), which checks manual pages.
enum Mandoc {
  static var isInstalled: Bool {
    ProgramSearch.find("mandoc", in: ProcessEnvironment.variables()["PATH"] ?? "") != nil
  }

  /// Checks that mandoc finds no problems in a page.
  static func check(_ page: ManualPage) async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/\(page.name).\(page.section)"
    try AtomicFile.write(Array(GeneratedFiles.text(of: page).utf8), to: path, .replaced)
    let outcome = try await ProgramRun.run(
      "mandoc", ["-Tlint", path], environment: ProgramRun.environment(home: folder.path))
    // This manual's pages are not installed yet, and other programs' pages may be missing.
    let complaints = (outcome.output + outcome.error).split(separator: "\n").filter {
      !$0.contains("referenced manual not found") && !$0.contains("outdated mandoc.db")
    }
    #expect(complaints == [])
  }
}
