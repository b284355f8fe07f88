package import CivilTime
internal import HomelineOAuth
internal import JSON
internal import Timeline

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

extension TokenGrant {
  /// By which protocol it was given: `oauth1` or `oauth2`.
  package var kind: String {
    switch self {
    case .oauth1: "oauth1"
    case .oauth2: "oauth2"
    }
  }
}

/// What the server said when it last refused to renew a token. It is stored beside the token, so that every process knows it, and is gone
/// with the next renewal or login.
package struct RenewalRefusal: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The refresh token is dead: it is not sent again.
    case final
    /// The server refused without a reason that is known. It may mean anything, and is tried again.
    case unexplained
    /// The same twice in a row.
    case repeated
  }

  package let kind: Kind
  /// The server's words, without secrets.
  package let words: String
  package let at: Timestamp

  package init(_ kind: Kind, _ words: String, at: Timestamp) {
    self.kind = kind
    self.words = words
    self.at = at
  }
}
