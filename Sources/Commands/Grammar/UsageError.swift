internal import Platform
internal import Settings

/// The error if a program's arguments are invalid.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  let message: String
  /// The command whose help is suggested; nil if none was recognised.
  let command: String?

  package init(_ message: String, in command: String? = nil) {
    self.message = message
    self.command = command
  }

  /// Returns the error for an unknown command.
  /// - Parameter names: the known commands; one with a similar name is suggested.
  static func unknownCommand(_ name: String, among names: [String]) -> UsageError {
    UsageError("unknown command \(DisplayText.quoted(name))" + DisplayText.suggestion(for: name, among: names))
  }

  /// Two lines: the message, and a hint at the help.
  package var description: String {
    "homeline: \(message)\nSee: homeline help\(command.map { " \($0)" } ?? "")"
  }

  /// This error as a `CommandError`.
  package var failure: CommandError { CommandError(.usage, String(description.dropFirst("homeline: ".count))) }
}
