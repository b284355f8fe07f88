package import CivilTime
package import HomelineOAuth

/// An authorisation as it is kept: the token, whose it is and since when.
package struct StoredToken: Sendable, Hashable {
  /// The name of the provider in the configuration.
  package let provider: String
  package let identity: AccountIdentity
  package let credentials: TokenCredentials
  package let authorisedAt: Timestamp

  package init(
    provider: String, identity: AccountIdentity, credentials: TokenCredentials, authorisedAt: Timestamp
  ) {
    self.provider = provider
    self.identity = identity
    self.credentials = credentials
    self.authorisedAt = authorisedAt
  }
}
