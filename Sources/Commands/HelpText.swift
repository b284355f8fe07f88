/// What `homeline help` says, made from the same table that the parser reads.
package enum HelpText {
  /// The page of one command, or the overview.
  package static func text(of topic: CommandName?) -> String { topic.map(page) ?? overview }

  private static var overview: String {
    let width = CommandName.allCases.map(\.rawValue.count).max() ?? 0
    let commands = CommandName.allCases.map { "  \(padded($0.rawValue, to: width))  \($0.summary)\n" }.joined()
    return """
      homeline - authorises accounts and keeps their home timelines in files that any program can read

      Usage: homeline COMMAND [OPTION ...]

      Commands:
      \(commands)
      Every command takes:
      \(list(Option.global))
      Without any key: homeline demo
      A command's own help: homeline help COMMAND. The manual: man homeline

      """
  }

  private static func page(of command: CommandName) -> String {
    let usage = (["homeline", command.rawValue, command.operands] + command.options.map { "[\($0.usage)]" })
      .filter { !$0.isEmpty }
    let own = command.options.isEmpty ? "" : "\nOptions:\n\(list(command.options))"
    return """
      homeline \(command.rawValue) - \(command.summary)

      \(wrapped("Usage: ", usage))
      \(command.explanation)
      \(own)
      Every command takes:
      \(list(Option.global))
      """
  }

  private static func list(_ options: [Option]) -> String {
    let width = options.map(\.usage.count).max() ?? 0
    return options.map { "  \(padded($0.usage, to: width))  \($0.help)\n" }.joined()
  }

  /// Words in lines of at most 80 columns, the following ones indented under the first word.
  private static func wrapped(_ label: String, _ words: [String]) -> String {
    let indent = String(repeating: " ", count: label.count)
    var lines: [String] = []
    var line = label
    for word in words {
      if line.count + word.count > 80 {
        lines.append(line)
        line = indent
      }
      line += line.count > label.count ? " \(word)" : word
    }
    return (lines + [line]).map { "\($0)\n" }.joined()
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
