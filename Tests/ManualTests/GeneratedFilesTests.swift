import Commands
@testable import Manual
import Platform
import TestSupport
import Testing

@Suite("Documentation generated from the command declarations") struct GeneratedFilesTests {
  @Test("The generated files in the repository are up to date, and their folders contain no other files")
  func committed() throws {
    let contents = GeneratedFiles(.standard).contents
    for (path, text) in contents {
      let found = (try? ProgramRun.file(path)).map { String(decoding: $0, as: UTF8.self) }
      #expect(found == text, "\(path) is out of date: run make manual")
    }
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    for folder in [GeneratedFiles.manualFolder, GeneratedFiles.referenceFolder] {
      let names = try Folder.names(in: "\(root)/\(folder)")
      #expect(names.filter { contents[folder + $0] == nil } == [])
    }
  }

  @Test("Every documented command has a manual page and a reference page, which list all its options")
  func commands() throws {
    let contents = GeneratedFiles(.standard).contents
    for command in CommandRegistry.standard.documented {
      let manual = try #require(contents["docs/man/homeline-\(command.name).1"])
      let reference = try #require(contents["docs/reference/commands/\(command.name).md"])
      for option in command.options {
        // In mdoc(7), the option `--limit` is written as `Fl -limit`.
        #expect(manual.contains("\n.It Fl \(option.description.name.dropFirst())"), "\(option.description.name)")
        #expect(reference.contains("\n- `\(option.description.usage)`"), "\(option.description.name)")
      }
    }
    #expect(contents["docs/man/homeline-complete.1"] == nil)
  }

  @Test("homeline(1) refers to every command, and contains every exit code, every global option and the version")
  func overview() throws {
    let overview = try #require(GeneratedFiles(.standard).contents["docs/man/homeline.1"])
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
