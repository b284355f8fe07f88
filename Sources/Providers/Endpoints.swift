package import HomelineOAuth

/// The addresses of a provider that speaks OAuth 1.0a.
package struct Endpoints: Sendable, Hashable {
  /// Their names in the configuration.
  package enum Name: String, Sendable, Hashable, CaseIterable {
    case requestToken = "request_token"
    case authorize
    case accessToken = "access_token"
    case verifyCredentials = "verify_credentials"
    case usersMe = "users_me"
    case homeTimeline = "home_timeline"
    case invalidateToken = "invalidate_token"
  }

  package let requestToken: RequestURL
  package let authorize: RequestURL
  package let accessToken: RequestURL
  /// Tells whose token it is: `verify_credentials` of the API v1.1, `users_me` of X's API v2.
  package let verifyCredentials: RequestURL
  /// Where `{id}` stands in its path, the user's id is put.
  package let homeTimeline: RequestURL
  /// `nil` where a token cannot be given back.
  package let invalidateToken: RequestURL?

  package init(
    requestToken: RequestURL, authorize: RequestURL, accessToken: RequestURL, verifyCredentials: RequestURL,
    homeTimeline: RequestURL, invalidateToken: RequestURL?
  ) {
    self.requestToken = requestToken
    self.authorize = authorize
    self.accessToken = accessToken
    self.verifyCredentials = verifyCredentials
    self.homeTimeline = homeTimeline
    self.invalidateToken = invalidateToken
  }

  /// The same with some of them replaced.
  ///
  /// A token is given back only where it came from: with `access_token` moved to another server, `invalidate_token` counts
  /// only when it is named too.
  package func overridden(by overrides: [Name: RequestURL]) -> Endpoints {
    let accessToken = overrides[.accessToken] ?? self.accessToken
    let kept = accessToken.origin == self.accessToken.origin ? invalidateToken : nil
    return Endpoints(
      requestToken: overrides[.requestToken] ?? requestToken, authorize: overrides[.authorize] ?? authorize,
      accessToken: accessToken,
      verifyCredentials: overrides[.verifyCredentials] ?? overrides[.usersMe] ?? verifyCredentials,
      homeTimeline: overrides[.homeTimeline] ?? homeTimeline, invalidateToken: overrides[.invalidateToken] ?? kept)
  }
}
