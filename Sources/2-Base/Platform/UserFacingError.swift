/// An error whose text a user can read as it is: what happened, to what, and what to do next. The text never contains a secret.
package protocol UserFacingError: Error, Sendable, CustomStringConvertible {
  /// What happened, and to what, without a final full stop.
  var message: String { get }
  /// What to do next; nil if the message already states it, or there is nothing to do.
  var hint: String? { get }
  /// The exit code of a command that fails with this error.
  var exitCode: ExitCode { get }
}

extension UserFacingError {
  package var hint: String? { nil }

  /// The message and the hint.
  package var description: String { hint.map { "\(message). \($0)" } ?? message }
}
