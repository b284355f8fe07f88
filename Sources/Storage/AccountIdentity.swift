package import Timeline

/// The user and server whose timeline an account contains. Names may change; the server and the user's id may not.
package struct AccountIdentity: Sendable, Hashable {
  /// The provider's origin, such as `https://api.example.org`.
  package let server: String
  package let user: User
  /// The issuer that identified the user (`iss`, OpenID Connect Core §2), because one token endpoint can serve several issuers. `nil` if
  /// there is none.
  package let issuer: String?

  package init(server: String, user: User, issuer: String? = nil) {
    self.server = server
    self.user = user
    self.issuer = issuer
  }

  /// Whether the user's id is known. Two unknown users may be different people.
  package var isKnown: Bool { user.id != Self.unknownUserID }

  /// The id of a user that the provider does not identify.
  static let unknownUserID = "-"

  /// Returns whether both identities are known to be the same user.
  package func isSameUser(as other: AccountIdentity) -> Bool {
    isKnown && other.isKnown && !conflicts(with: other)
  }

  /// Returns whether the other identity is a different user, or the same id at a different server or issuer. An unknown user never
  /// conflicts.
  package func conflicts(with other: AccountIdentity) -> Bool {
    if server != other.server { return true }
    if let issuer, let otherIssuer = other.issuer, issuer != otherIssuer { return true }
    return isKnown && user.id != other.user.id
  }
}
