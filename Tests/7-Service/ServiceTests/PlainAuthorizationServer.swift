import HTTP
import HomelineOAuth
import Sandbox
import SandboxSupport
import Time

/// An OAuth 2.0 server that follows the standards and returns no messages.
struct PlainAuthorizationServer: SimulatedProvider {
  static let client = OAuth2Client(identifier: "plain", secret: nil, authentication: .none)
  static let flow = OAuth2Flow(authorize: "/authorize", token: "/token", scopes: ["mail"])

  var oauth2: OAuth2Server

  init(life: Duration = .seconds(7_200)) {
    var policy = OAuth2Policy()
    policy.accessLife = life
    policy.refreshTokens = .always
    oauth2 = OAuth2Server(policy: policy, paths: OAuth2Paths(authorization: "/authorize", token: "/token"))
    oauth2.register(
      SandboxClient(
        identifier: Self.client.identifier, redirects: [OAuth2Flow.redirect], scopes: Self.flow.scopes))
  }

  mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    SimulatedResponse(routed(request, at: now))
  }

  private mutating func routed(_ request: Request, at now: Timestamp) -> Response {
    do throws(OAuth2Error) {
      switch request.target.path {
      case oauth2.paths.authorization: return oauth2.decide(request, at: now)
      case oauth2.paths.token: return try oauth2.token(request, at: now).response
      default: return Response(status: .notFound)
      }
    } catch { return error.response }
  }
}
