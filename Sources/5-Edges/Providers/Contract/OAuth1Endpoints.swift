package import Bytes
internal import HomelineOAuth

/// The three endpoints of OAuth 1.0a (RFC 5849 §2), and the endpoint that revokes a token.
package struct OAuth1Endpoints: Sendable, Hashable {
  package let requestToken: RequestURL
  package let authorize: RequestURL
  package let accessToken: RequestURL
  /// The endpoint that revokes a token; `nil` if tokens cannot be revoked.
  package let invalidateToken: RequestURL?

  /// Creates the configured endpoints. Their tokens cannot be revoked.
  init(requestToken: RequestURL, authorize: RequestURL, accessToken: RequestURL) {
    self.requestToken = requestToken
    self.authorize = authorize
    self.accessToken = accessToken
    invalidateToken = nil
  }

  /// Creates the endpoints from Twitter's paths, unless the account replaces them.
  ///
  /// A token is revoked only at its own server: if `access_token` is moved to a different server, `invalidate_token` is used only if it is
  /// also configured.
  /// - Parameters:
  ///   - server: the provider's own server.
  ///   - invalidation: the path that revokes a token.
  init(_ place: ProviderLocation, below server: String, invalidation path: String) throws(RequestURLError) {
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
