package import Platform
package import TerminalText

/// The output of a command.
package struct CommandOutput {
  /// What is written to standard output.
  package let text: ProgramOutput
  /// The lines for standard error.
  package let notes: [String]
  package let code: ExitCode

  package init(_ text: ProgramOutput, notes: [String] = [], code: ExitCode = .done) {
    self.text = text
    self.notes = notes
    self.code = code
  }

  /// - Parameter text: The text for standard output, which may come from outside the program.
  package init(_ text: String, notes: [String] = [], code: ExitCode = .done) {
    self.init(.plain(text), notes: notes, code: code)
  }
}
