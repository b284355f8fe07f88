package import Time

/// The grant behind an access token.
package struct SandboxGrant: Sendable, Equatable {
  package let token: String
  package let clientID: String
  package let userID: String
  package let scopes: [String]
  package let issuedAt: Timestamp
  /// The time when the token expires; `nil` if it never does.
  package let expiresAt: Timestamp?
  /// The number shared by all tokens that result from one login.
  let family: Int

  package func allows(_ scope: String) -> Bool { scopes.contains(scope) }
}
