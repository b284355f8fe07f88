internal import CivilTime
internal import HomelineOAuth
internal import HTTP

/// The paths of the simulated Twitter and of X's v2 API. Any other path is error 34.
package enum TwitterRoute: String, Sendable, CaseIterable {
  case requestToken = "/oauth/request_token"
  case authorize = "/oauth/authorize"
  case accessToken = "/oauth/access_token"
  case verifyCredentials = "/1.1/account/verify_credentials.json"
  case homeTimeline = "/1.1/statuses/home_timeline.json"
  case userTimeline = "/1.1/statuses/user_timeline.json"
  /// Deletes a post; its id is the last segment.
  case destroy = "/1.1/statuses/destroy/{id}.json"
  case retweet = "/1.1/statuses/retweet/{id}.json"
  case unretweet = "/1.1/statuses/unretweet/{id}.json"
  case createFavorite = "/1.1/favorites/create.json"
  case destroyFavorite = "/1.1/favorites/destroy.json"
  case update = "/1.1/statuses/update.json"
  case invalidateToken = "/1.1/oauth/invalidate_token.json"
  case usersMe = "/2/users/me"
  case reverseChronological = "/2/users/{id}/timelines/reverse_chronological"

  /// The path, with the user's id.
  package var path: String { rawValue.replacing("{id}", with: String(Author.mira.id)) }

  init?(_ request: Request) {
    guard let route = TwitterRoute(rawValue: Self.pattern(of: request.target.path)),
      route.methods.contains(request.method)
    else {
      return nil
    }
    self = route
  }

  private var methods: [RequestMethod] {
    switch self {
    case .requestToken, .accessToken, .authorize: [.get, .post]
    case .verifyCredentials, .homeTimeline, .userTimeline, .usersMe, .reverseChronological: [.get]
    case .invalidateToken, .update, .destroy, .retweet, .unretweet, .createFavorite, .destroyFavorite: [.post]
    }
  }

  /// Whether it belongs to the v2 API, which has its own error responses.
  var isV2: Bool { self == .usersMe || self == .reverseChronological }

  /// The path with `{id}` in place of a user's id.
  private static func pattern(of path: String) -> String {
    var segments = path.split(separator: "/", omittingEmptySubsequences: false)
    if segments.count == 5, segments[1] == "1.1", segments[4].hasSuffix(".json") {
      segments[4] = "{id}.json"
      return segments.joined(separator: "/")
    }
    guard segments.count > 4, segments[1] == "2", segments[2] == "users" else { return path }
    segments[3] = "{id}"
    return segments.joined(separator: "/")
  }
}
