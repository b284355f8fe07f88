/// The output of `homeline help`, generated from the command declarations.
package struct HelpText: Sendable {
  private let registry: CommandRegistry
  private let columns: Int
  /// The smallest width of the explanations beside the terms of a list. Narrower explanations are written below the terms.
  private static let narrowest = 24

  /// - Parameter columns: the width of the terminal; nil if the output goes elsewhere. Lines have at most 80 columns.
  package init(_ registry: CommandRegistry, columns: Int? = nil) {
    self.registry = registry
    self.columns = min(columns ?? 80, 80)
  }

  /// Returns the help page of a command, or the overview if the topic is nil or unknown.
  package func text(of topic: String?) -> String { topic.flatMap(registry.command(named:)).map(page) ?? overview }

  /// The list of all commands by group, and the global options.
  package var overview: String {
    let commands = registry.documented
    let width = commands.map { $0.name.count }.max() ?? 0
    let groups = CommandGroup.allCases.compactMap { group in
      let lines = commands.filter { $0.documentation.group == group }.map {
        row($0.name, $0.documentation.summary, width: width)
      }
      return lines.isEmpty ? nil : "\(group.rawValue):\n\(lines.joined())"
    }
    return """
      \(wrapped(Self.pieces("homeline - authorises accounts and keeps their home timelines in files")))
      Usage: homeline COMMAND [OPTION ...]

      \(groups.joined(separator: "\n"))
      Options of every command:
      \(list(GlobalOptions.all))
      Try it without any keys: homeline demo
      Help for one command: homeline help COMMAND. Manual: man homeline

      """
  }

  private func page(of command: any CommandDeclaration.Type) -> String {
    let documentation = command.documentation
    let operands = command.operands.map(\.usage)
    let options = command.allOptions.map { "[\($0.description.usage)]" }
    let own = command.allOptions.isEmpty ? "" : "\nOptions:\n\(list(command.allOptions))"
    let examples = documentation.examples.map {
      "  \($0.line)\n" + wrapped(Self.pieces($0.explanation), first: Self.deepMargin, rest: Self.deepMargin)
    }.joined()
    return """
      \(wrapped(Self.pieces("homeline \(command.name) - \(documentation.summary)")))
      \(wrapped(["homeline", command.name] + operands + options, first: "Usage: ", rest: "       "))
      \(text(of: documentation.description))\(own)
      Options of every command:
      \(list(GlobalOptions.all))\(examples.isEmpty ? "" : "\nExamples:\n\(examples)")
      More: man homeline-\(command.name)

      """
  }

  private func text(of blocks: [TextBlock]) -> String {
    blocks.map { block in
      switch block {
      case .paragraph(let text): wrapped(Self.pieces(text))
      case .terms(let terms): list(terms.map { ($0.term, $0.explanation) })
      case .code(let text): text.split(separator: "\n").map { "  \($0)\n" }.joined()
      }
    }.joined(separator: "\n")
  }

  private static func pieces(_ text: String) -> [String] {
    text.filter { $0 != "`" }.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
  }

  private func list(_ options: [any DeclaredOption]) -> String {
    list(options.map { ($0.description.usage, $0.description.helpWithDefault) })
  }

  /// Returns two columns: terms, and their explanations.
  private func list(_ terms: [(String, String)]) -> String {
    let width = terms.map(\.0.count).max() ?? 0
    return terms.map { term, explanation in row(term, explanation, width: width) }.joined()
  }

  /// Returns a row of a list.
  /// - Parameter width: the width of the terms.
  private func row(_ term: String, _ explanation: String, width: Int) -> String {
    let pieces = Self.pieces(explanation)
    if columns - width - 4 < Self.narrowest {
      return "  \(term)\n" + wrapped(pieces, first: Self.deepMargin, rest: Self.deepMargin)
    }
    return wrapped(
      pieces, first: "  \(Self.padded(term, to: width))  ", rest: String(repeating: " ", count: width + 4))
  }

  private static let deepMargin = "      "

  /// Joins pieces with spaces and breaks lines that would be too wide.
  private func wrapped(_ pieces: [String], first: String = "", rest: String = "") -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for piece in pieces {
      if !isEmpty, line.count + 1 + piece.count > columns {
        lines.append(line)
        (line, isEmpty) = (rest, true)
      }
      line += isEmpty ? piece : " \(piece)"
      isEmpty = false
    }
    return (lines + [line]).map { "\($0)\n" }.joined()
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
