package import Platform

/// A command's documentation.
package struct CommandDocumentation: Sendable {
  /// The group that lists the command. Nil hides the command from the help, manual and completion; this is for commands that only
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
