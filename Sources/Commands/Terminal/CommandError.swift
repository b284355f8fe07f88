package import HomelineOAuth
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

// Settings has no exit codes, because it does not know processes.
extension SettingsError: UserFacingError {
  package var exitCode: ExitCode { .configuration }
  package var message: String { description }
}

extension AccountChoiceError: UserFacingError {
  package var exitCode: ExitCode { .usage }
  package var message: String { description }
}

/// The program's version.
package enum Version {
  package static let number = "0.1.0"

  /// The output of `homeline version`.
  package static let text = "homeline \(number)"
}

/// The output of `homeline sign --explain`: one labelled value per line, so that scripts can parse it.
package enum SignatureExplanation {
  package static func text(of authorization: Authorization) -> String {
    """
    normalised parameters: \(authorization.normalizedParameters.text)
    signature base string: \(authorization.baseString.text)
    signing key: \(authorization.maskedKey)

    """
  }
}
