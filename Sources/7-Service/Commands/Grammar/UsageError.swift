package import Platform
internal import Settings

/// The error if a program's arguments are invalid.
package struct UsageError: UserFacingError, Hashable {
  package let message: String
  /// The command whose help is suggested; nil if none was recognised.
  let command: String?

  package init(_ message: String, in command: String? = nil) {
    self.message = message
    self.command = command
  }

  /// Returns the error for an unknown command.
  /// - Parameter names: the known commands; a command with a similar name is suggested.
  static func unknownCommand(_ name: String, among names: [String]) -> UsageError {
    UsageError("unknown command \(DisplayText.quoted(name))" + DisplayText.suggestion(for: name, among: names))
  }

  package var hint: String? { "See: homeline help\(command.map { " \($0)" } ?? "")" }
  package var exitCode: ExitCode { .usage }

  /// Two lines, so that the hint is visible below a long message.
  package var description: String { "\(message)\n\(hint ?? "")" }
}
