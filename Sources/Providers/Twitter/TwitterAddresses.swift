internal import HomelineOAuth

/// The addresses of Twitter's API v1.1.
package struct TwitterAddresses: Sendable, Hashable {
  package let legs: OAuth1Endpoints
  let verifyCredentials: RequestURL
  let homeTimeline: RequestURL

  /// Its paths below a server, with single ones replaced by the account.
  init(_ place: ProviderPlace, below server: String) throws(RequestURLError) {
    legs = try OAuth1Endpoints(place, below: server, invalidation: "/1.1/oauth/invalidate_token.json")
    verifyCredentials = try place.url(.verifyCredentials, "/1.1/account/verify_credentials.json", below: server)
    homeTimeline = try place.url(.homeTimeline, "/1.1/statuses/home_timeline.json", below: server)
  }
}
