internal import HTTP

/// The paths of a Mastodon-compatible server.
enum MastodonRoute: String {
  case metadata = "/.well-known/oauth-authorization-server"
  case apps = "/api/v1/apps"
  case authorize = "/oauth/authorize"
  case token = "/oauth/token"
  case revoke = "/oauth/revoke"
  case verifyCredentials = "/api/v1/accounts/verify_credentials"
  case homeTimeline = "/api/v1/timelines/home"
  /// A single post; the id follows.
  case status = "/api/v1/statuses/"
  /// Publishes a post.
  case statuses = "/api/v1/statuses"
  /// An action on a post; the post's id precedes the last segment.
  case action = "/api/v1/statuses/*"
  case uploads = "/api/v2/media"
  case oldUploads = "/api/v1/media"
  /// An uploaded file; the id follows.
  case upload = "/api/v1/media/"
  /// A user's posts; the user's id precedes the last segment.
  case userStatuses = "/api/v1/accounts/"
  case instance = "/api/v1/instance"
  case newInstance = "/api/v2/instance"

  /// Fails for unknown paths. As in Rails, a trailing slash is ignored, because Mastodon.py sends one.
  init?(_ request: Request) {
    let path = request.target.path
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    var known = Self.statusID(in: path) == nil ? MastodonRoute(rawValue: name) : .status
    if known == .status, request.method == .delete { known = .action }
    if Self.actionParts(in: name) != nil { known = .action }
    if Self.userID(in: name) != nil { known = .userStatuses }
    if Self.uploadID(in: name) != nil { known = .upload }
    guard let route = known, route.methods.contains(request.method) else { return nil }
    self = route
  }

  /// Returns the id from the path of a single post.
  /// - Returns: `nil` for any other path.
  static func statusID(in path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, path.hasPrefix(Self.status.rawValue), !parts[4].isEmpty else { return nil }
    return String(parts[4])
  }

  /// Returns the id and the verb from the path of an action.
  /// - Returns: `nil` for any other path.
  static func actionParts(in path: String) -> (id: String, verb: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 6, path.hasPrefix(Self.status.rawValue), !parts[4].isEmpty else { return nil }
    return (String(parts[4]), String(parts[5]))
  }

  /// Returns the user's id from the path of a user's posts.
  /// - Returns: `nil` for any other path.
  static func userID(in path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 6, path.hasPrefix(Self.userStatuses.rawValue), parts[5] == "statuses" else { return nil }
    return String(parts[4])
  }

  /// Returns the id from the path of an uploaded file.
  /// - Returns: `nil` for any other path.
  static func uploadID(in path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, path.hasPrefix(Self.upload.rawValue), !parts[4].isEmpty else { return nil }
    return String(parts[4])
  }

  private var methods: [RequestMethod] {
    switch self {
    case .authorize: [.get, .post]
    case .apps, .token, .revoke, .statuses, .uploads, .oldUploads: [.post]
    case .action: [.post, .delete]
    case .metadata, .verifyCredentials, .homeTimeline, .status, .userStatuses, .upload, .instance, .newInstance:
      [.get]
    }
  }
}
