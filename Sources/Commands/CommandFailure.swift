package import Platform

/// Why a command could not do its work, and with which code it ends.
package struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: ExitCode
  /// What happened, to what, and what to do next; for standard error. Never a secret.
  package let message: String

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// As it is written on standard error.
  package var description: String { "homeline: \(message)" }
}
