import Commands
import Platform
import TestSupport
import Testing

@testable import homeline_manual

@Suite("Documentation generated from the command declarations") struct GeneratedFilesTests {
  private let files = GeneratedFiles(.standard)

  @Test("The commands' reference in the repository is up to date")
  func committed() throws {
    let found = String(decoding: try ProgramRun.file("docs/reference/commands.md"), as: UTF8.self)
    #expect(found == files.reference, "docs/reference/commands.md is out of date: run make manual")
  }

  @Test("An installation gets a page for each command, the other pages, a script for each shell, and nothing else")
  func shared() {
    let pages = CommandRegistry.standard.documented.map { "man/man1/homeline-\($0.name).1" }
    let others = ["man/man1/homeline.1", "man/man5/homeline-config.5", "man/man8/homelined.8"]
    #expect(Set(files.shared.keys) == Set(pages + others + CompletionShell.allCases.map(\.installedPath)))
    #expect(!files.shared.keys.contains("man/man1/homeline-complete.1"))
  }

  @Test("homeline-manual writes the same files with any umask", arguments: ["002", "077"])
  func written(umask: String) async throws {
    let folder = TemporaryFolder()
    // The build folder, where the files are written, also has the mode of the umask.
    let commands = """
      cd; umask \(umask); mkdir build
      "$0" share build/share && "$0" reference build/commands.md
      """
    let outcome = try await ProgramRun.run(
      "sh", ["-c", commands, ProgramRun.product("homeline-manual")],
      environment: ProgramRun.environment(home: folder.path))
    try #require(outcome.code == 0, "\(outcome.error)")
    for (path, text) in files.shared {
      #expect(try File.read("\(folder.path)/build/share/\(path)", limit: 1 << 20) == Array(text.utf8), "\(path)")
    }
    #expect(try File.read("\(folder.path)/build/commands.md", limit: 1 << 20) == Array(files.reference.utf8))
  }

  @Test("Every documented command has a manual page and a section of the reference, which list all its options")
  func commands() throws {
    let sections = files.reference.split(separator: "\n### ")
    for command in CommandRegistry.standard.documented {
      let manual = try #require(files.shared[GeneratedFiles.path(ofManual: "homeline-\(command.name)", section: 1)])
      let section = try #require(sections.first { $0.hasPrefix("homeline \(command.name)\n") })
      for option in command.options {
        // In mdoc(7), the `--limit` option is written as `Fl -limit`.
        #expect(manual.contains("\n.It Fl \(option.description.name.dropFirst())"), "\(option.description.name)")
        #expect(section.contains("\n  \(option.description.usage) "), "\(option.description.name)")
      }
    }
  }

  @Test("homeline(1) refers to every command, and contains every exit code, every global option and the version")
  func overview() throws {
    let overview = try #require(files.shared["man/man1/homeline.1"])
    for command in CommandRegistry.standard.documented {
      #expect(overview.contains("\n.It Xr homeline-\(command.name) 1\n"), "\(command.name)")
    }
    for code in ExitCode.allCases { #expect(overview.contains("\n.It \(code.rawValue)\n"), "\(code)") }
    for option in GlobalOptions.all { #expect(overview.contains("Fl \(option.description.name.dropFirst())")) }
    #expect(overview.contains("version \(Version.number)"))
  }

  @Test(
    "mandoc -Tlint reports no problems on any manual page", .enabled(if: Mandoc.isInstalled, "mandoc is not installed"))
  func lint() async throws {
    for page in ManualPages(.standard).all { try await Mandoc.check(page) }
  }
}
