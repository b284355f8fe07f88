package import CivilTime
package import HomelineOAuth

/// What a server of OAuth 2.0 gave (RFC 6749 §5.1), with its times as moments.
package struct BearerToken: Sendable, Hashable {
  package let accessToken: Secret
  /// `nil` where a new access token takes a new login.
  package let refreshToken: Secret?
  /// What was granted, as the server wrote it; `nil` when it did not say.
  package let scope: String?
  /// The client that it was given to: no other can renew it.
  package let clientID: String
  /// By the server's clock.
  package let issuedAt: Timestamp
  /// When its answer came, by this machine's clock; `nil` where that was not written down.
  package let receivedAt: Timestamp?
  /// By the server's clock; `nil` for a token of which it is not known: whether it is good is seen when it is used.
  package let expiresAt: Timestamp?
  /// From when on it is to be renewed, ahead of its end.
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

  /// How far the server's clock was ahead of this machine's when it gave the token.
  package var clockOffset: Duration { receivedAt.map { issuedAt - $0 } ?? .zero }

  /// Whether its time is over.
  /// - Parameter now: by the server's clock.
  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

  /// Whether it can be handed out as it is: its renewal is not due, and it lasts for the request that it is meant for.
  /// - Parameter now: by any clock that is right to a few seconds.
  package func isGoodForAWhile(at now: Timestamp) -> Bool {
    if let renewAt, renewAt <= now { return false }
    return expiresAt.map { $0 - now >= Self.leastLeft } ?? true
  }

  /// What who asks for a token has at least left of it.
  private static let leastLeft = Duration.seconds(60)
}

/// The token itself, of either protocol.
package enum TokenGrant: Sendable, Hashable {
  case oauth1(TokenCredentials)
  case oauth2(BearerToken)

  /// Until when it is good without the user doing anything; `nil` where no end is known, or it can be renewed.
  package var loginExpiresAt: Timestamp? {
    guard case .oauth2(let token) = self, token.refreshToken == nil else { return nil }
    return token.expiresAt
  }

  package var bearer: BearerToken? { if case .oauth2(let token) = self { token } else { nil } }
}
