internal import HTTP

/// What the sandbox answers; everything else is code 34.
package enum SandboxRoute: String, Sendable, CaseIterable {
  case requestToken = "/oauth/request_token"
  case authorize = "/oauth/authorize"
  case accessToken = "/oauth/access_token"
  case verifyCredentials = "/1.1/account/verify_credentials.json"
  case homeTimeline = "/1.1/statuses/home_timeline.json"
  case invalidateToken = "/1.1/oauth/invalidate_token.json"

  package var path: String { rawValue }

  init?(_ request: Request) {
    guard let route = SandboxRoute(rawValue: request.target.path), route.methods.contains(request.method) else {
      return nil
    }
    self = route
  }

  private var methods: [RequestMethod] {
    switch self {
    case .requestToken, .accessToken, .authorize: [.get, .post]
    case .verifyCredentials, .homeTimeline: [.get]
    case .invalidateToken: [.post]
    }
  }
}
