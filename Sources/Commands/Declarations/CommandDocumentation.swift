package import Platform

/// A command's documentation.
package struct CommandDocumentation: Sendable {
  /// The group in which the command is listed. Nil hides the command from the help, manual and completion; this is for commands that only
  /// homeline's scripts run.
  package var group: CommandGroup?
  /// The summary: one line without a full stop.
  package var summary: String
  /// The text for `--help`, the manual page and the reference.
  package var description: [TextBlock]
  /// The text only for the manual page and the reference.
  package var details: [TextBlock]
  package var examples: [CommandExample]
  /// The exit codes with a special meaning for this command. Every command can exit with 0, 64, 70, 74 and 78.
  package var exitCodes: [(code: ExitCode, meaning: String)]
  /// Advice appended to the message about an unknown option with one dash.
  package var adviceOnDashes: String

  package init(
    _ group: CommandGroup?, _ summary: String, description: [TextBlock], details: [TextBlock] = [],
    examples: [CommandExample] = [], exitCodes: [(code: ExitCode, meaning: String)] = [], adviceOnDashes: String = ""
  ) {
    self.group = group
    self.summary = summary
    self.description = description
    self.details = details
    self.examples = examples
    self.exitCodes = exitCodes
    self.adviceOnDashes = adviceOnDashes
  }
}

/// A command line with an explanation.
package struct CommandExample: Sendable, Hashable {
  package let line: String
  package let explanation: String

  package init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}

/// Documentation text. Text between backquotes is literal, as the user types or sees it.
package enum TextBlock: Sendable, Hashable, ExpressibleByStringLiteral {
  case paragraph(String)
  /// A list of literal terms, each with its explanation.
  case terms([Term])
  /// Lines that are printed literally.
  case code(String)

  package struct Term: Sendable, Hashable {
    package let term: String
    package let explanation: String

    package init(_ term: String, _ explanation: String) {
      self.term = term
      self.explanation = explanation
    }
  }

  package init(stringLiteral text: String) { self = .paragraph(text) }
}

/// The headings of the command lists, in order.
package enum CommandGroup: String, Sendable, Hashable, CaseIterable {
  case accounts = "Accounts"
  case reading = "Reading"
  case posting = "Posting"
  case archive = "Archive"
  case service = "Service and configuration"
  case development = "Demonstration and development"
  case help = "Help"
}
