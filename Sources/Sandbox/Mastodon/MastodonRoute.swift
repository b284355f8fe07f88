internal import HTTP

/// The paths of a server with Mastodon's API.
enum MastodonRoute: String {
  case metadata = "/.well-known/oauth-authorization-server"
  case apps = "/api/v1/apps"
  case authorize = "/oauth/authorize"
  case token = "/oauth/token"
  case revoke = "/oauth/revoke"
  case verifyCredentials = "/api/v1/accounts/verify_credentials"
  case homeTimeline = "/api/v1/timelines/home"
  /// A single post; the id follows.
  case status = "/api/v1/statuses"
  case instance = "/api/v1/instance"
  case newInstance = "/api/v2/instance"

  /// Fails for unknown paths. As in Rails, a trailing slash is ignored, because Mastodon.py sends one.
  init?(_ request: Request) {
    let path = request.target.path
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    let known = Self.statusID(in: path) == nil ? MastodonRoute(rawValue: name) : .status
    guard let route = known, route.methods.contains(request.method) else { return nil }
    self = route
  }

  /// The id in the path of a single post.
  /// - Returns: `nil` for any other path.
  static func statusID(in path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, path.hasPrefix(Self.status.rawValue + "/"), !parts[4].isEmpty else { return nil }
    return String(parts[4])
  }

  private var methods: [RequestMethod] {
    switch self {
    case .authorize: [.get, .post]
    case .apps, .token, .revoke: [.post]
    case .metadata, .verifyCredentials, .homeTimeline, .status, .instance, .newInstance: [.get]
    }
  }
}
