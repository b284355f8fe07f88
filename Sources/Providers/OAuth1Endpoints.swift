package import HomelineOAuth

/// The addresses of the three legs of OAuth 1.0a (RFC 5849 §2), and where a token is given back.
package struct OAuth1Endpoints: Sendable, Hashable {
  package let requestToken: RequestURL
  package let authorize: RequestURL
  package let accessToken: RequestURL
  /// `nil` where a token cannot be given back.
  package let invalidateToken: RequestURL?

  /// Addresses that the account names; a token cannot be given back.
  init(requestToken: RequestURL, authorize: RequestURL, accessToken: RequestURL) {
    self.requestToken = requestToken
    self.authorize = authorize
    self.accessToken = accessToken
    invalidateToken = nil
  }

  /// The paths that Twitter gave them, with single ones replaced by the account.
  ///
  /// A token is given back only where it came from: with `access_token` moved to another server, `invalidate_token` counts
  /// only when it is named too.
  /// - Parameters:
  ///   - server: the provider's own.
  ///   - invalidation: the path where a token is given back.
  init(_ place: ProviderPlace, below server: String, invalidation path: String) throws(RequestURLError) {
    requestToken = try place.url(.requestToken, "/oauth/request_token", below: server)
    authorize = try place.url(.authorize, "/oauth/authorize", below: server)
    accessToken = try place.url(.accessToken, "/oauth/access_token", below: server)
    let isMoved = accessToken.origin != (place.base?.origin ?? server)
    if isMoved, place.endpoints[.invalidateToken] == nil {
      invalidateToken = nil
    } else {
      invalidateToken = try place.url(.invalidateToken, path, below: server)
    }
  }
}
