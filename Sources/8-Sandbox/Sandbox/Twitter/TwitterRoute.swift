internal import HTTP
internal import Time

/// The paths of the simulated Twitter and of X's v2 API. Any other path results in error 34.
package enum TwitterRoute: String, Sendable, CaseIterable {
  case requestToken = "/oauth/request_token"
  case authorize = "/oauth/authorize"
  case accessToken = "/oauth/access_token"
  case verifyCredentials = "/1.1/account/verify_credentials.json"
  case homeTimeline = "/1.1/statuses/home_timeline.json"
  case userTimeline = "/1.1/statuses/user_timeline.json"
  case mentionsTimeline = "/1.1/statuses/mentions_timeline.json"
  case lists = "/1.1/lists/list.json"
  case listStatuses = "/1.1/lists/statuses.json"
  case favorites = "/1.1/favorites/list.json"
  /// Shows a post; its id is the last segment.
  case show = "/1.1/statuses/show/{id}.json"
  /// Deletes a post; its id is the last segment.
  case destroy = "/1.1/statuses/destroy/{id}.json"
  case retweet = "/1.1/statuses/retweet/{id}.json"
  case unretweet = "/1.1/statuses/unretweet/{id}.json"
  case createFavorite = "/1.1/favorites/create.json"
  case destroyFavorite = "/1.1/favorites/destroy.json"
  case update = "/1.1/statuses/update.json"
  case upload = "/1.1/media/upload.json"
  case describeUpload = "/1.1/media/metadata/create.json"
  /// The configuration of a GNU social site, which needs no authentication.
  case siteConfiguration = "/1.1/statusnet/config.json"
  case invalidateToken = "/1.1/oauth/invalidate_token.json"
  case usersMe = "/2/users/me"
  case reverseChronological = "/2/users/{id}/timelines/reverse_chronological"
  case tweets = "/2/tweets"
  /// Deletes a post; its id is the last segment.
  case tweet = "/2/tweets/{id}"
  case ownTweets = "/2/users/{id}/tweets"
  /// Reposts and bookmarks; to undo one, the post's id is appended.
  case retweets = "/2/users/{id}/retweets"
  case bookmarks = "/2/users/{id}/bookmarks"
  case uploadStart = "/2/media/upload/initialize"
  /// A part of a file; the id of the upload is in the path.
  case uploadPart = "/2/media/upload/{id}/append"
  case uploadEnd = "/2/media/upload/{id}/finalize"
  case uploadState = "/2/media/upload"
  case describeMedia = "/2/media/metadata"

  /// The path, with the user's id.
  package var path: String { rawValue.replacing("{id}", with: String(Author.mira.id)) }

  /// - Parameter isGNUSocial: whether the paths of the API may begin with `/api`, as on GNU social.
  init?(_ request: Request, isGNUSocial: Bool = false) {
    var path = request.target.path
    if isGNUSocial, path.hasPrefix("/api/") {
      path = (path.hasPrefix("/api/oauth/") ? "" : "/1.1") + path.dropFirst("/api".count)
      // The older names of the mentions.
      if ["/1.1/statuses/mentions.json", "/1.1/statuses/replies.json"].contains(path) {
        path = Self.mentionsTimeline.rawValue
      }
    }
    var pattern = Self.pattern(of: path)
    if request.method == .delete { pattern = Self.undone(pattern) }
    guard let route = TwitterRoute(rawValue: pattern), route.methods.contains(request.method)
    else {
      return nil
    }
    self = route
  }

  private var methods: [RequestMethod] {
    switch self {
    case .requestToken, .accessToken, .authorize, .upload: [.get, .post]
    case .siteConfiguration, .verifyCredentials, .homeTimeline, .userTimeline, .mentionsTimeline, .lists,
      .listStatuses, .favorites, .show, .usersMe, .reverseChronological,
      .ownTweets, .uploadState:
      [.get]
    case .tweets, .uploadStart, .uploadPart, .uploadEnd, .describeMedia: [.post]
    case .tweet: [.delete]
    case .retweets, .bookmarks: [.post, .delete]
    case .invalidateToken, .update, .destroy, .retweet, .unretweet, .createFavorite, .destroyFavorite,
      .describeUpload:
      [.post]
    }
  }

  /// The timeline at the path in the v1.1 API; `nil` for other paths.
  var timeline: TimelineKind? {
    switch self {
    case .homeTimeline: .home
    case .userTimeline, .mentionsTimeline, .listStatuses, .favorites: .other
    case .lists: .names
    default: nil
    }
  }

  /// Whether the path belongs to the v2 API, which has its own error responses.
  var isV2: Bool { rawValue.hasPrefix("/2/") }

  /// The scope that a v2 API request needs in addition to those for reading.
  var scope: String? {
    switch self {
    case .uploadStart, .uploadPart, .uploadEnd, .uploadState, .describeMedia: "media.write"
    case .bookmarks: "bookmark.write"
    default: methods == [.get] ? nil : "tweet.write"
    }
  }

  /// Returns the path with `{id}` in place of the id of a user, upload or post.
  private static func pattern(of path: String) -> String {
    var segments = path.split(separator: "/", omittingEmptySubsequences: false)
    if segments.count == 6, path.hasPrefix("/2/media/upload/") {
      segments[4] = "{id}"
      return segments.joined(separator: "/")
    }
    if segments.count == 5, segments[1] == "1.1", segments[2] == "statuses", segments[4].hasSuffix(".json") {
      segments[4] = "{id}.json"
      return segments.joined(separator: "/")
    }
    guard segments.count > 4, segments[1] == "2", segments[2] == "users" else {
      return segments.count == 4 && path.hasPrefix("/2/tweets/") ? TwitterRoute.tweet.rawValue : path
    }
    segments[3] = "{id}"
    return segments.joined(separator: "/")
  }

  /// Returns the pattern of a list, given a path that ends with the id of the post to remove from it.
  private static func undone(_ pattern: String) -> String {
    for list in [retweets, bookmarks] where pattern.hasPrefix(list.rawValue + "/") { return list.rawValue }
    return pattern
  }
}
