import Platform
import Testing

@testable import Commands

@Suite struct HelpTextTests {
  private static let help = HelpText(.standard)

  @Test("The help overview lists every documented command once, under the heading of its group, and fits a terminal")
  func overview() {
    let text = Self.help.text(of: nil)
    let commands = CommandRegistry.standard.documented
    for command in commands { #expect(text.split(separator: "\n  \(command.name) ").count == 2, "\(command.name)") }
    let headings = CommandGroup.allCases.map { "\n\($0.rawValue):\n" }
    let positions = headings.map { text.firstRange(of: $0)?.lowerBound }
    #expect(positions.allSatisfy { $0 != nil } && positions.compactMap(\.self) == positions.compactMap(\.self).sorted())
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(!text.contains("complete"))
  }

  @Test(
    "A command's help page shows its usage and every option and fits a terminal",
    arguments: CommandRegistry.standard.documented.map { $0.name })
  func page(name: String) throws {
    let command = try #require(CommandRegistry.standard.command(named: name))
    let text = Self.help.text(of: name)
    #expect(text.hasPrefix("homeline \(name) - \(command.documentation.summary)\n"))
    for option in command.options + GlobalOptions.all { #expect(text.contains("\n  \(option.description.usage) ")) }
    for operand in command.operands { #expect(text.contains(operand.usage)) }
    // Examples are shown so that they can be pasted.
    let examples = command.documentation.examples.map { "  \($0.line)" }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 || examples.contains(String($0)) })
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n") && !text.contains("`"))
  }

  @Test("An option's help text contains its default")
  func defaults() {
    /// Returns the help text on a single line.
    func help(_ topic: String) -> String {
      Self.help.text(of: topic).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(help("show").contains("print at most N posts (default 20)"))
    #expect(help("login").contains("(default 300)"))
    #expect(help("export").contains("(default jsonl)"))
  }
}
