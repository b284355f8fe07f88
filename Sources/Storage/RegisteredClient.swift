package import CivilTime
package import HomelineOAuth

/// The client id of this program at a server where it has registered itself, for one redirect URI.
package struct RegisteredClient: Sendable, Hashable {
  /// The redirect URI exactly as it was registered.
  package let redirect: String
  package let identifier: String
  package let secret: Secret
  package let registeredAt: Timestamp

  package init(redirect: String, identifier: String, secret: Secret, registeredAt: Timestamp) {
    self.redirect = redirect
    self.identifier = identifier
    self.secret = secret
    self.registeredAt = registeredAt
  }
}
