internal import HTTP

/// What a played server of Mastodon's API answers.
enum MastodonRoute: String {
  case metadata = "/.well-known/oauth-authorization-server"
  case apps = "/api/v1/apps"
  case authorize = "/oauth/authorize"
  case token = "/oauth/token"
  case revoke = "/oauth/revoke"
  case verifyCredentials = "/api/v1/accounts/verify_credentials"
  case homeTimeline = "/api/v1/timelines/home"
  case instance = "/api/v1/instance"
  case newInstance = "/api/v2/instance"

  /// Nil for what is not answered. A slash at the end of the path does not count, as with Rails: Mastodon.py puts one there.
  init?(_ request: Request) {
    let path = request.target.path
    guard let route = MastodonRoute(rawValue: path.hasSuffix("/") ? String(path.dropLast()) : path),
      route.methods.contains(request.method)
    else {
      return nil
    }
    self = route
  }

  private var methods: [RequestMethod] {
    switch self {
    case .authorize: [.get, .post]
    case .apps, .token, .revoke: [.post]
    case .metadata, .verifyCredentials, .homeTimeline, .instance, .newInstance: [.get]
    }
  }
}
