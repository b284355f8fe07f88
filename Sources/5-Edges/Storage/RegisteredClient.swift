package import Bytes
internal import Posting
package import Time

/// This program's client id on a server where it has registered itself, for one redirect URI.
package struct RegisteredClient: Sendable, Hashable {
  /// The redirect URI exactly as it was registered.
  package let redirect: String
  package let identifier: String
  package let secret: Secret
  package let registeredAt: Timestamp
  /// The scopes that the client may request; `nil` if they were not recorded.
  package let scopes: [String]?
  /// When the server was found to have forgotten the client. Logins then use another registration; this one is kept for the tokens issued
  /// to it.
  package let forgottenAt: Timestamp?

  /// Returns whether a login may use this registration.
  /// - Parameter scopes: the scopes that the login requests.
  package func serves(redirect: String, _ scopes: [String]) -> Bool {
    self.redirect == redirect && forgottenAt == nil && allows(scopes)
  }

  /// Returns whether logins may request these scopes. A registration whose scopes were not recorded permits only those for the home
  /// timeline, because the version that made it requested no others by default.
  private func allows(_ requested: [String]) -> Bool {
    Set(scopes ?? APIScopes.mastodon.home).isSuperset(of: requested)
  }

  package init(
    redirect: String, identifier: String, secret: Secret, registeredAt: Timestamp, scopes: [String]? = nil,
    forgottenAt: Timestamp? = nil
  ) {
    self.forgottenAt = forgottenAt
    self.scopes = scopes
    self.redirect = redirect
    self.identifier = identifier
    self.secret = secret
    self.registeredAt = registeredAt
  }

  /// Returns the registration, marked as forgotten by the server.
  package func forgotten(at now: Timestamp) -> RegisteredClient {
    RegisteredClient(
      redirect: redirect, identifier: identifier, secret: secret, registeredAt: registeredAt, scopes: scopes,
      forgottenAt: forgottenAt ?? now)
  }
}
