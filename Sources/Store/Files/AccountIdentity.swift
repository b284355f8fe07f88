package import Timeline

/// Whose timeline an account holds: a user at a server. Names may change, the server and the user's id may not.
package struct AccountIdentity: Sendable, Hashable {
  /// The provider's origin, such as `https://api.example.org`.
  package let server: String
  package let user: User

  package init(server: String, user: User) {
    self.server = server
    self.user = user
  }

  /// Whether anybody has said who the user is; an unknown user may be another one each time.
  package var isKnown: Bool { user.id != Self.unknownUserID }

  /// Stands for the id of a user whom nobody can name.
  package static let unknownUserID = "-"

  /// Whether the other one is another user, or the same id at another server.
  package func conflicts(with other: AccountIdentity) -> Bool { server != other.server || user.id != other.user.id }
}
