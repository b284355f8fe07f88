package import CivilTime

/// An authorisation as it is kept: the token, whose it is and since when.
package struct StoredToken: Sendable, Hashable {
  /// The name of the provider in the configuration.
  package let provider: String
  package let identity: AccountIdentity
  package let grant: TokenGrant
  package let authorisedAt: Timestamp
  /// Why its last renewal was refused; `nil` where none was, or it was renewed since.
  package let refusal: RenewalRefusal?

  package init(
    provider: String, identity: AccountIdentity, grant: TokenGrant, authorisedAt: Timestamp,
    refusal: RenewalRefusal? = nil
  ) {
    self.refusal = refusal
    self.provider = provider
    self.identity = identity
    self.grant = grant
    self.authorisedAt = authorisedAt
  }

  /// The same authorisation with a renewed token.
  package func renewed(_ token: BearerToken) -> StoredToken {
    StoredToken(provider: provider, identity: identity, grant: .oauth2(token), authorisedAt: authorisedAt)
  }

  /// The same token, with why its renewal was refused.
  package func noting(_ refusal: RenewalRefusal) -> StoredToken {
    StoredToken(
      provider: provider, identity: identity, grant: grant, authorisedAt: authorisedAt, refusal: refusal)
  }

  /// Whether the server has said that the refresh token is dead.
  package var hasEnded: Bool { refusal?.kind == .final }
}
