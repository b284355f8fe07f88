package import Bytes
internal import HomelineOAuth
package import Time

/// An OAuth 2.0 server's token response (RFC 6749 §5.1), with the times of the token's issue, renewal and expiry.
package struct BearerToken: Sendable, Hashable {
  package let accessToken: Secret
  /// The refresh token; `nil` if a new access token requires a new login.
  package let refreshToken: Secret?
  /// The granted scope as the server wrote it; `nil` if the response did not include it.
  package let scope: String?
  /// The client that the token was issued to. No other client can renew it.
  package let clientID: String
  /// The time of issue, according to the server's clock.
  package let issuedAt: Timestamp
  /// The time when the response arrived, according to this machine's clock; `nil` if this was not recorded.
  package let receivedAt: Timestamp?
  /// The expiry time, according to the server's clock; `nil` if this is unknown.
  package let expiresAt: Timestamp?
  /// The time to renew the token, some time before it expires.
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

  /// Returns whether the token has expired.
  /// - Parameter now: the time according to the server's clock.
  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

  /// Returns whether the token can be given to a program: it is not due for renewal, and stays valid for at least ``minimumLifetime``.
  /// - Parameter now: the time according to any clock that is correct to within a few seconds.
  package func isUsable(at now: Timestamp) -> Bool {
    if let renewAt, renewAt <= now { return false }
    return expiresAt.map { $0 - now >= Self.minimumLifetime } ?? true
  }

  /// The shortest remaining lifetime of a token given to a program.
  private static let minimumLifetime = Duration.seconds(60)
}
