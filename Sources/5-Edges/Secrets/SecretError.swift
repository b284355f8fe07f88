package import Platform

/// A secret specified in the configuration cannot be read. Only the user can fix this.
package struct SecretError: UserFacingError, Hashable {
  /// Where the secret should be, what is wrong, and what to do.
  package let message: String

  package var exitCode: ExitCode { .configuration }

  init(_ message: String) { self.message = message }
}
