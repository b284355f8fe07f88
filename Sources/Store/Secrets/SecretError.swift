/// Why a secret that the configuration names could not be had: a mistake that only the user can set right.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with which source, and what to do; nothing of the secret.
  package let description: String

  init(_ description: String) { self.description = description }
}
