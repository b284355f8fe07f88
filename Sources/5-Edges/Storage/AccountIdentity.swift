package import Timeline

/// The user and server whose timeline an account contains. Names may change; the server and the user's id may not.
package struct AccountIdentity: Sendable, Hashable {
  /// The provider's origin, such as `https://api.example.org`, plus the site's folder if its host has several sites.
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

  /// Returns this identity with the server in its stored form: an earlier version left out the site's folder.
  package func keepingServer(of stored: AccountIdentity?) -> AccountIdentity {
    guard let stored, isKnown, user.id == stored.user.id, server.hasPrefix(stored.server + "/") else { return self }
    return AccountIdentity(server: stored.server, user: user, issuer: issuer)
  }

  /// Whether the user's id is known. Two unknown users may be different people.
  package var isKnown: Bool { !user.isUnknown }

  /// Returns whether both identities are known to be the same user.
  package func isSameUser(as other: AccountIdentity) -> Bool {
    isKnown && other.isKnown && !conflicts(with: other)
  }

  /// Returns whether the other identity is a different user, or the same id on a different server or issuer. An unknown user never
  /// conflicts.
  package func conflicts(with other: AccountIdentity) -> Bool {
    if server != other.server { return true }
    if let issuer, let otherIssuer = other.issuer, issuer != otherIssuer { return true }
    return isKnown && user.id != other.user.id
  }
}
