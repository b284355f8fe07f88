package import HomelineOAuth
package import Time

/// A token of either protocol.
package enum TokenGrant: Sendable, Hashable {
  case oauth1(TokenCredentials)
  case oauth2(BearerToken)

  /// The time when the login expires; `nil` if the token does not expire or can be renewed.
  package var loginExpiresAt: Timestamp? {
    guard case .oauth2(let token) = self, token.refreshToken == nil else { return nil }
    return token.expiresAt
  }

  package var bearer: BearerToken? { if case .oauth2(let token) = self { token } else { nil } }
}
