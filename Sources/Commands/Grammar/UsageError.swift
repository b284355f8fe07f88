internal import Platform
internal import Settings

/// The arguments of a program have no meaning.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  /// The command whose help says more; nil when none was recognised.
  let command: String?

  package init(_ message: String, in command: String? = nil) {
    self.message = message
    self.command = command
  }

  /// - Parameter names: the commands from which a similar one is suggested.
  static func unknownCommand(_ word: String, among names: [String]) -> UsageError {
    UsageError("unknown command \(DisplayText.quoted(word))" + DisplayText.suggestion(for: word, among: names))
  }

  /// The message, and how to get help, as two lines.
  package var description: String {
    "homeline: \(message)\nSee: homeline help\(command.map { " \($0)" } ?? "")"
  }

  /// The same as a command's failure.
  package var failure: CommandFailure { CommandFailure(.usage, String(description.dropFirst("homeline: ".count))) }
}
