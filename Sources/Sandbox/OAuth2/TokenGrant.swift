package import CivilTime

/// What an access token stands for.
package struct TokenGrant: Sendable, Equatable {
  package let token: String
  package let clientID: String
  package let userID: String
  package let scopes: [String]
  package let issuedAt: Timestamp
  /// nil: never.
  package let expiresAt: Timestamp?
  /// Shared by all tokens that go back to one login.
  let family: Int

  package func allows(_ scope: String) -> Bool { scopes.contains(scope) }
}
