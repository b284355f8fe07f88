package import Platform
package import Settings

/// The failure of a command: the message and the exit code.
package struct CommandError: UserFacingError, Hashable {
  package let exitCode: ExitCode
  package let message: String

  package init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// Creates the failure of a command that another error has stopped.
  /// - Parameter subject: What the error is about, such as an account; it precedes the message. Nil if the message names it.
  package init(_ error: some UserFacingError, about subject: String? = nil) {
    self.init(error.exitCode, (subject.map { "\($0): " } ?? "") + "\(error)")
  }
}

// The Settings target has no exit codes, because it knows nothing about processes.
extension SettingsError: UserFacingError {
  package var exitCode: ExitCode { .configuration }
  package var message: String { description }
}

extension AccountChoiceError: UserFacingError {
  package var exitCode: ExitCode { .usage }
  package var message: String { description }
}
