package import HomelineOAuth
package import Platform

/// The failure of a command: the message and the exit code.
package struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: ExitCode
  /// The message: what happened, to what, and what to do next. The message never contains a secret.
  package let message: String

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message as printed on standard error.
  package var description: String { "homeline: \(message)" }
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
