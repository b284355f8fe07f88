package import CivilTime

/// An authorisation as it is kept: the token, whose it is and since when.
package struct StoredToken: Sendable, Hashable {
  /// The name of the provider in the configuration.
  package let provider: String
  package let identity: AccountIdentity
  package let grant: TokenGrant
  package let authorisedAt: Timestamp

  package init(provider: String, identity: AccountIdentity, grant: TokenGrant, authorisedAt: Timestamp) {
    self.provider = provider
    self.identity = identity
    self.grant = grant
    self.authorisedAt = authorisedAt
  }

  /// The same authorisation with a renewed token.
  package func renewed(_ token: BearerToken) -> StoredToken {
    StoredToken(provider: provider, identity: identity, grant: .oauth2(token), authorisedAt: authorisedAt)
  }
}
