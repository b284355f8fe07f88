package import CivilTime
package import HomelineOAuth

/// Under which id this program is known at a server that it has registered itself with, for one redirect address.
package struct RegisteredClient: Sendable, Hashable {
  /// As it was registered, byte by byte.
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
