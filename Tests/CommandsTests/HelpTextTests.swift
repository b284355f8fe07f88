import Platform
import Commands
import TestSupport
import Testing

@Suite struct HelpTextTests {
  @Test("the overview names every command, and fits a terminal")
  func overview() {
    let text = HelpText.text(of: nil)
    for command in CommandName.allCases { #expect(text.contains("  \(command.rawValue) ")) }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("a command's page has its usage and each of its options", arguments: CommandName.allCases)
  func page(command: CommandName) {
    let text = HelpText.text(of: command)
    #expect(text.hasPrefix("homeline \(command.rawValue) - "))
    for option in command.options + Option.global { #expect(text.contains("  \(option.usage) ")) }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(text.hasSuffix("\n"))
    #expect(!text.hasSuffix("\n\n"))
  }

  @Test("the manual page has every command, option, exit code and variable")
  func manual() throws {
    let bytes = try ProgramRun.file("docs/man/homeline.1")
    // In mdoc(7) `-x` is `Fl x`, `--x` is `Fl -x`.
    let manual = String(decoding: bytes, as: UTF8.self)
    for command in CommandName.allCases {
      #expect(manual.contains("\n.It Cm \(command.rawValue)"), "\(command)")
      for option in command.options { #expect(manual.contains("Fl \(option.name.dropFirst())"), "\(option.name)") }
    }
    for option in Option.global { #expect(manual.contains("Fl \(option.name.dropFirst())"), "\(option.name)") }
    for code in ExitCode.allCases { #expect(manual.contains("\n.It \(code.rawValue)\n"), "\(code)") }
    #expect(manual.contains(Version.number))
  }
}
