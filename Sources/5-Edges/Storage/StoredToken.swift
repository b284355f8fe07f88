package import Time

/// A stored authorisation: the token, its user, and the time of the login.
package struct StoredToken: Sendable, Hashable {
  /// The provider's name in the configuration.
  package let provider: String
  package let identity: AccountIdentity
  package let grant: TokenGrant
  package let authorisedAt: Timestamp
  /// The reason the last renewal was refused; `nil` if none was refused since the token was issued.
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

  /// Returns the same authorisation with a renewed token.
  package func renewed(_ token: BearerToken) -> StoredToken {
    StoredToken(provider: provider, identity: identity, grant: .oauth2(token), authorisedAt: authorisedAt)
  }

  /// Returns the same authorisation with the refusal of a renewal.
  package func withRefusal(_ refusal: RenewalRefusal) -> StoredToken {
    StoredToken(
      provider: provider, identity: identity, grant: grant, authorisedAt: authorisedAt, refusal: refusal)
  }

  /// Returns whether the other token has the same refresh token, so that renewing either replaces both.
  package func isSameLogin(as other: StoredToken) -> Bool {
    guard let refreshToken = grant.bearer?.refreshToken else { return grant == other.grant }
    return refreshToken == other.grant.bearer?.refreshToken
  }

  /// Whether the server has declared the refresh token invalid.
  package var hasEnded: Bool { refusal?.kind == .final }

  /// The time when the login expires, according to the server's clock; `nil` if the token does not expire or can be renewed.
  package var loginExpiresAt: Timestamp? { hasEnded ? grant.bearer?.expiresAt : grant.loginExpiresAt }
}

extension TokenGrant {
  /// The token's protocol: `oauth1` or `oauth2`.
  package var kind: String {
    switch self {
    case .oauth1: "oauth1"
    case .oauth2: "oauth2"
    }
  }
}
