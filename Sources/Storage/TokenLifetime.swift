package import CivilTime
internal import HomelineOAuth

/// How long an authorisation lasts, and what keeps it. All times are the server's.
package struct TokenLifetime: Sendable, Hashable {
  /// `oauth1` or `oauth2`.
  package let kind: String
  /// When the token ends; nil where no end is known.
  package let expiresAt: Timestamp?
  /// From when on this program renews it by itself; nil where it does not, or only when the provider refuses the token.
  package let renewsAt: Timestamp?
  /// Whether it can be renewed without its user.
  let isRenewable: Bool
  /// By when its user has to log in again; nil where no such moment is known.
  package let loginNeededBy: Timestamp?
  /// How the server refused when it was last asked to renew the token; nil where it did not.
  package let refusal: RenewalRefusal.Kind?

  package init(_ token: StoredToken) {
    let grant = token.grant
    kind = grant.kind
    expiresAt = grant.bearer?.expiresAt
    renewsAt = token.hasEnded ? nil : grant.bearer?.renewAt
    isRenewable = grant.bearer?.refreshToken != nil && !token.hasEnded
    loginNeededBy = token.hasEnded ? expiresAt : grant.loginExpiresAt
    refusal = token.refusal?.kind
  }
}
