package import Time

/// The lifetime of an authorisation. All times are according to the server's clock.
package struct TokenLifetime: Sendable, Hashable {
  /// `oauth1` or `oauth2`.
  package let kind: String
  /// The expiry time of the token; `nil` if this is unknown.
  package let expiresAt: Timestamp?
  /// The time when this program will renew the token; `nil` if it does so only after the provider refuses the token, or never.
  package let renewsAt: Timestamp?
  /// The deadline for the user's next login; `nil` if none is known.
  package let loginNeededBy: Timestamp?
  /// The server's last refusal to renew the token; `nil` if there was none.
  package let refusal: RenewalRefusal.Kind?

  package init(_ token: StoredToken) {
    let grant = token.grant
    kind = grant.kind
    expiresAt = grant.bearer?.expiresAt
    renewsAt = token.hasEnded ? nil : grant.bearer?.renewAt
    loginNeededBy = token.loginExpiresAt
    refusal = token.refusal?.kind
  }
}
