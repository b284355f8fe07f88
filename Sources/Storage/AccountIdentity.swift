package import Timeline

/// Whose timeline an account holds: a user at a server. Names may change, the server and the user's id may not.
package struct AccountIdentity: Sendable, Hashable {
  /// The provider's origin, such as `https://api.example.org`.
  package let server: String
  package let user: User
  /// Who named the user (`iss`, OpenID Connect Core §2): one token endpoint can serve several issuers. `nil` where nobody did.
  package let issuer: String?

  package init(server: String, user: User, issuer: String? = nil) {
    self.server = server
    self.user = user
    self.issuer = issuer
  }

  /// Whether anybody has said who the user is; an unknown user may be another one each time.
  package var isKnown: Bool { user.id != Self.unknownUserID }

  /// Stands for the id of a user whom nobody can name.
  package static let unknownUserID = "-"

  /// Whether the other one is another user, or the same id at another server or issuer. An unknown user conflicts with nobody.
  package func conflicts(with other: AccountIdentity) -> Bool {
    if server != other.server { return true }
    if let issuer, let otherIssuer = other.issuer, issuer != otherIssuer { return true }
    return isKnown && user.id != other.user.id
  }
}
