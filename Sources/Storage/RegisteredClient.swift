package import CivilTime
package import HomelineOAuth

/// This program's client id at a server where it has registered itself, for one redirect URI.
package struct RegisteredClient: Sendable, Hashable {
  /// The redirect URI exactly as it was registered.
  package let redirect: String
  package let identifier: String
  package let secret: Secret
  package let registeredAt: Timestamp
  /// The scopes that the client may request; `nil` if they were not recorded.
  package let scopes: [String]?

  /// Returns whether logins may request these scopes. If a registration's scopes were not recorded, it permits only reading.
  package func allows(_ requested: [String]) -> Bool {
    scopes.map { Set($0).isSuperset(of: requested) } ?? !requested.contains { $0.hasPrefix("write") }
  }

  package init(
    redirect: String, identifier: String, secret: Secret, registeredAt: Timestamp, scopes: [String]? = nil
  ) {
    self.scopes = scopes
    self.redirect = redirect
    self.identifier = identifier
    self.secret = secret
    self.registeredAt = registeredAt
  }
}
