package import HomelineOAuth
package import Providers
internal import Scheduling
package import Storage
internal import Time

extension BearerToken {
  /// The maximum margin before a token expires. A token with less time left than its margin is renewed.
  private static let longestMargin = Duration.seconds(300)

  /// Creates a token from a token endpoint's response (RFC 6749 §5.1). The token's lifetime is converted to an expiry time according to the
  /// server's clock.
  ///
  /// - Parameters:
  ///   - former: the token being renewed. If the response has no refresh token, the old refresh token stays valid (§6); if it has no
  ///     lifetime, the old token's lifetime is used.
  ///   - generator: the source of the renewal time's random jitter, so that a thousand one-hour tokens are not renewed in the same second.
  package init(
    _ tokenResponse: AccessTokenResponse, in response: ProviderResponse, clientID: String,
    renewing former: BearerToken? = nil, using generator: inout some RandomNumberGenerator
  ) {
    let issuedAt = response.serverTime ?? response.receivedAt
    let formerLife = former.flatMap { former in former.expiresAt.map { $0 - former.issuedAt } }
    // The stated expiry time, like the time of issue, is according to the server's clock. An expiry time in the past is ignored.
    let stated = tokenResponse.expiresAt.map { Timestamp(seconds: $0) - issuedAt }.flatMap { $0 > .zero ? $0 : nil }
    let life = [stated, tokenResponse.expiresIn.map { Duration.seconds($0) }].compactMap(\.self).min() ?? formerLife
    let refreshToken = tokenResponse.refreshToken ?? former?.refreshToken
    let expiresAt = life.map { issuedAt + $0 }
    self.init(
      accessToken: tokenResponse.accessToken, refreshToken: refreshToken, scope: tokenResponse.scope ?? former?.scope,
      clientID: clientID, issuedAt: issuedAt, receivedAt: response.receivedAt, expiresAt: expiresAt,
      renewAt: refreshToken == nil
        ? nil : life.map { Self.renewalMoment(issuedAt: issuedAt, life: $0, using: &generator) })
  }

  /// Combines a new login's token with the previous login's refresh token. A server that issues a refresh token only at the first consent
  /// (Google without `prompt=consent`) leaves the earlier refresh token valid. The caller has verified that both tokens belong to the same
  /// user.
  ///
  /// - Returns: the combined token; `nil` if the earlier refresh token cannot renew this token, because the earlier token belongs to
  ///   another client or has fewer scopes.
  package func keepingRefreshToken(
    of former: BearerToken, using generator: inout some RandomNumberGenerator
  ) -> BearerToken? {
    guard refreshToken == nil, let kept = former.refreshToken, former.clientID == clientID else { return nil }
    if let wanted = scope, let granted = former.scope {
      guard Set(wanted.split(separator: " ")).isSubset(of: granted.split(separator: " ")) else { return nil }
    }
    return BearerToken(
      accessToken: accessToken, refreshToken: kept, scope: scope ?? former.scope, clientID: clientID,
      issuedAt: issuedAt, receivedAt: receivedAt, expiresAt: expiresAt,
      renewAt: expiresAt.map {
        Self.renewalMoment(issuedAt: issuedAt, life: $0 - issuedAt, using: &generator)
      })
  }

  private static func renewalMoment(
    issuedAt: Timestamp, life: Duration, using generator: inout some RandomNumberGenerator
  ) -> Timestamp {
    let margin = min(longestMargin, life / 10)
    return issuedAt + life - margin - Backoff.random(upTo: margin, using: &generator)
  }
}
