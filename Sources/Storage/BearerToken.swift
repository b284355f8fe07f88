package import CivilTime
package import HomelineOAuth

/// The token response of an OAuth 2.0 server (RFC 6749 §5.1), with its lifetime as points in time.
package struct BearerToken: Sendable, Hashable {
  package let accessToken: Secret
  /// `nil` if a new access token requires a new login.
  package let refreshToken: Secret?
  /// The granted scope as the server wrote it; `nil` if the response did not include it.
  package let scope: String?
  /// The client to which the token was issued. No other client can renew it.
  package let clientID: String
  /// By the server's clock.
  package let issuedAt: Timestamp
  /// When the response arrived, by this machine's clock; `nil` if that was not recorded.
  package let receivedAt: Timestamp?
  /// When the token expires, by the server's clock; `nil` if that is not known.
  package let expiresAt: Timestamp?
  /// When to renew the token, which is before its expiry.
  package let renewAt: Timestamp?

  package init(
    accessToken: Secret, refreshToken: Secret?, scope: String?, clientID: String,
    issuedAt: Timestamp, receivedAt: Timestamp? = nil, expiresAt: Timestamp?, renewAt: Timestamp?
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.scope = scope
    self.clientID = clientID
    self.issuedAt = issuedAt
    self.receivedAt = receivedAt
    self.expiresAt = expiresAt
    self.renewAt = renewAt
  }

  /// How far the server's clock was ahead of this machine's when the token was issued.
  package var clockOffset: Duration { receivedAt.map { issuedAt - $0 } ?? .zero }

  /// Whether the token has expired.
  /// - Parameter now: by the server's clock.
  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

  /// Whether a program can be given the token: its renewal is not due, and it stays valid for at least ``minimumLifetime``.
  /// - Parameter now: by any clock that is correct to within a few seconds.
  package func isUsable(at now: Timestamp) -> Bool {
    if let renewAt, renewAt <= now { return false }
    return expiresAt.map { $0 - now >= Self.minimumLifetime } ?? true
  }

  /// The shortest remaining lifetime of a token that is given to a program.
  private static let minimumLifetime = Duration.seconds(60)
}

/// A token of either protocol.
package enum TokenGrant: Sendable, Hashable {
  case oauth1(TokenCredentials)
  case oauth2(BearerToken)

  /// When the user has to log in again; `nil` if the token does not expire or can be renewed.
  package var loginExpiresAt: Timestamp? {
    guard case .oauth2(let token) = self, token.refreshToken == nil else { return nil }
    return token.expiresAt
  }

  package var bearer: BearerToken? { if case .oauth2(let token) = self { token } else { nil } }
}
