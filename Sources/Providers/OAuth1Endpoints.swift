package import HomelineOAuth

/// The addresses of the three legs of OAuth 1.0a (RFC 5849 §2), and where a token is given back.
package struct OAuth1Endpoints: Sendable, Hashable {
  package let requestToken: RequestURL
  package let authorize: RequestURL
  package let accessToken: RequestURL
  /// `nil` where a token cannot be given back.
  package let invalidateToken: RequestURL?

  /// The paths that Twitter gave them, with single ones replaced by the account.
  ///
  /// A token is given back only where it came from: with `access_token` moved to another server, `invalidate_token` counts
  /// only when it is named too.
  /// - Parameters:
  ///   - server: the provider's own.
  ///   - invalidation: the path where a token is given back.
  init(_ place: ProviderPlace, below server: String, invalidation path: String) throws(RequestURLError) {
    let own = try place.url("/oauth/access_token", below: server)
    requestToken = try place.endpoints[.requestToken] ?? place.url("/oauth/request_token", below: server)
    authorize = try place.endpoints[.authorize] ?? place.url("/oauth/authorize", below: server)
    accessToken = place.endpoints[.accessToken] ?? own
    let invalidation = try place.url(path, below: server)
    invalidateToken = place.endpoints[.invalidateToken] ?? (accessToken.origin == own.origin ? invalidation : nil)
  }
}
