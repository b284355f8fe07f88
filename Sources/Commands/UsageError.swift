internal import Platform

/// Arguments that mean no command.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  /// The command whose help says more; nil when none was recognised.
  package let command: CommandName?

  package init(_ message: String, in command: CommandName? = nil) {
    self.message = message
    self.command = command
  }

  /// What is wrong, and where to look, as two lines.
  package var description: String {
    "homeline: \(message)\nSee: homeline help\(command.map { " \($0.rawValue)" } ?? "")"
  }

  /// The same as a command's failure.
  package var failure: CommandFailure { CommandFailure(.usage, String(description.dropFirst("homeline: ".count))) }
}
