package import HomelineOAuth
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

/// Which version of the program this is.
package enum Version {
  package static let number = "0.1.0"

  /// As `homeline version` says it.
  package static let text = "homeline \(number)"
}

/// What `sign --explain` shows of a signature, one thing a line: scripts take the lines apart by their labels.
package enum SignatureExplanation {
  package static func text(of authorization: Authorization) -> String {
    """
    normalised parameters: \(authorization.normalizedParameters.text)
    signature base string: \(authorization.baseString.text)
    signing key: \(authorization.maskedKey)

    """
  }
}
