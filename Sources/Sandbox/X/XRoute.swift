internal import HTTP

/// What X's fake answers beside the routes of the API v2.
package enum XRoute: String, Sendable, CaseIterable {
  case authorizePage = "/i/oauth2/authorize"
  case authorize = "/2/oauth2/authorize"
  case token = "/2/oauth2/token"
  case revocation = "/2/oauth2/revoke"

  package var path: String { rawValue }

  init?(_ request: Request) {
    guard let route = XRoute(rawValue: request.target.path), route.methods.contains(request.method) else { return nil }
    self = route
  }

  private var methods: [RequestMethod] {
    switch self {
    case .authorizePage, .authorize: [.get, .post]
    case .token, .revocation: [.post]
    }
  }
}
