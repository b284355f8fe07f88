package import CivilTime
internal import HomelineOAuth
internal import JSON
internal import Timeline

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

  /// Returns whether the other token has the same refresh token, so that renewing one also replaces the other.
  package func isSameLogin(as other: StoredToken) -> Bool {
    guard let refreshToken = grant.bearer?.refreshToken else { return grant == other.grant }
    return refreshToken == other.grant.bearer?.refreshToken
  }

  /// Whether the server has declared the refresh token invalid.
  package var hasEnded: Bool { refusal?.kind == .final }
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

/// The server's last refusal to renew a token. It is stored with the token until the next renewal or login, so that all processes know of
/// it.
package struct RenewalRefusal: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The refresh token is invalid and is not sent again.
    case final
    /// The server gave no known reason. The renewal is tried again.
    case unexplained
    /// The server refused without a known reason for the second time in a row.
    case repeated
  }

  package let kind: Kind
  /// The server's message, without secrets.
  package let message: String
  package let at: Timestamp

  package init(_ kind: Kind, _ message: String, at: Timestamp) {
    self.kind = kind
    self.message = message
    self.at = at
  }
}
