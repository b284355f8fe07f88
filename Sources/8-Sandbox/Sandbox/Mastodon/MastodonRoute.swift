internal import HTTP
internal import HomelineOAuth

/// The paths of a Mastodon-compatible server. `{}` is any segment.
enum MastodonRoute: String, CaseIterable {
  case metadata = "/.well-known/oauth-authorization-server"
  case apps = "/api/v1/apps"
  case authorize = "/oauth/authorize"
  case token = "/oauth/token"
  case revoke = "/oauth/revoke"
  case verifyCredentials = "/api/v1/accounts/verify_credentials"
  /// Finds an account by its address.
  case lookup = "/api/v1/accounts/lookup"
  /// A user's posts, by the user's id.
  case userStatuses = "/api/v1/accounts/{}/statuses"
  case homeTimeline = "/api/v1/timelines/home"
  case listTimeline = "/api/v1/timelines/list/{}"
  case tagTimeline = "/api/v1/timelines/tag/{}"
  case lists = "/api/v1/lists"
  case list = "/api/v1/lists/{}"
  case listAccounts = "/api/v1/lists/{}/accounts"
  case followedTags = "/api/v1/followed_tags"
  case notifications = "/api/v1/notifications"
  case unreadCount = "/api/v1/notifications/unread_count"
  case bookmarks = "/api/v1/bookmarks"
  case favourites = "/api/v1/favourites"
  case markers = "/api/v1/markers"
  /// A single post.
  case status = "/api/v1/statuses/{}"
  /// Publishes a post.
  case statuses = "/api/v1/statuses"
  /// An action on a post: its id and a verb. The action of a `DELETE` request has no verb.
  case action = "/api/v1/statuses/{}/{}"
  case uploads = "/api/v2/media"
  case oldUploads = "/api/v1/media"
  /// An uploaded file.
  case upload = "/api/v1/media/{}"
  case instance = "/api/v1/instance"
  case newInstance = "/api/v2/instance"

  /// Fails for unknown paths. As in Rails, a trailing slash is ignored, because Mastodon.py sends one.
  init?(_ request: Request) {
    let path = request.target.path
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    var known = MastodonRoute(rawValue: name) ?? Self.allCases.first { $0.parameters(in: name) != nil }
    if known == .status, request.method == .delete { known = .action }
    guard let route = known, route.methods.contains(request.method) else { return nil }
    self = route
  }

  /// Returns the segments of a path in place of `{}`, not decoded.
  /// - Returns: `nil` if the path does not belong to the route, or if the route has no such segments.
  func parameters(in path: String) -> [String]? {
    guard rawValue.hasSuffix("{}") || rawValue.contains("{}/") else { return nil }
    let pattern = rawValue.split(separator: "/", omittingEmptySubsequences: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard pattern.count == parts.count, parts.dropFirst().allSatisfy({ !$0.isEmpty }) else { return nil }
    var parameters: [String] = []
    for (name, part) in zip(pattern, parts) {
      if name == "{}" { parameters.append(String(part)) } else if name != part { return nil }
    }
    return parameters
  }

  /// Returns the decoded segment of a request's path in place of the first `{}`.
  /// - Returns: the empty string if there is none, or if it is not valid UTF-8.
  func parameter(of request: Request) -> String {
    let path = request.target.path
    let route = self == .action && request.method == .delete ? .status : self
    guard let text = route.parameters(in: path.hasSuffix("/") ? String(path.dropLast()) : path)?.first,
      let bytes = try? PercentEncoding.decode(text)
    else { return "" }
    return String(validating: bytes, as: UTF8.self) ?? ""
  }

  /// The timeline at the path; `nil` for other paths.
  var timeline: TimelineKind? {
    switch self {
    case .homeTimeline: .home
    case .userStatuses, .listTimeline, .tagTimeline, .notifications, .bookmarks, .favourites: .other
    case .lists, .list, .listAccounts, .followedTags, .unreadCount: .names
    default: nil
    }
  }

  /// Returns the scope that a request requires, as a whole and in detail; `nil` if every token is accepted.
  func scope(of request: Request) -> (whole: String, detail: String)? {
    switch self {
    case .lookup: nil
    case .verifyCredentials: ("read", "read:accounts")
    case .lists, .list, .listAccounts, .listTimeline: ("read", "read:lists")
    case .followedTags: ("read", "read:follows")
    case .notifications, .unreadCount: ("read", "read:notifications")
    case .bookmarks: ("read", "read:bookmarks")
    case .favourites: ("read", "read:favourites")
    case .markers where request.method == .post: ("write", "write:statuses")
    case .statuses: ("write", "write:statuses")
    case .action: ("write", MastodonActions.scope(ofVerb: parameters(in: request.target.path)?.last ?? ""))
    case .uploads, .oldUploads, .upload: ("write", "write:media")
    default: ("read", "read:statuses")
    }
  }

  private var methods: [RequestMethod] {
    switch self {
    case .authorize, .markers: [.get, .post]
    case .apps, .token, .revoke, .statuses, .uploads, .oldUploads: [.post]
    case .action: [.post, .delete]
    default: [.get]
    }
  }
}
