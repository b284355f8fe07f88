internal import HomelineOAuth

/// How X is authorised: with the three legs of OAuth 1.0a, or with OAuth 2.0 and PKCE.
extension ProviderAuthorization {
  init(x place: ProviderPlace) throws(RequestURLError) {
    switch place.scheme {
    case .oauth1:
      self = .oauth1(
        try OAuth1Endpoints(place, below: XServer.api, invalidation: "/1.1/oauth/invalidate_token"))
    case .oauth2:
      // Only at its own server do users press the button elsewhere than where the API is.
      let endpoints = OAuth2Endpoints(
        issuer: nil, promisesIssuer: false,
        authorize: try place.url(.authorize, "/i/oauth2/authorize", below: XServer.web),
        token: try place.url(.token, "/2/oauth2/token", below: XServer.api),
        revocation: try place.url(.revoke, "/2/oauth2/revoke", below: XServer.api))
      self = .oauth2(
        OAuth2Profile(
          endpoints: endpoints, scopes: place.scopes ?? ["tweet.read", "users.read", "offline.access"]))
    }
  }

  /// Where tokens come from.
  var tokenOrigin: String? {
    switch self {
    case .oauth1(let legs): legs.accessToken.origin
    case .oauth2(let profile): profile.endpoints?.token.origin
    }
  }
}
