package import HTTP
internal import JSON
package import Time

/// X with OAuth 2.0: PKCE, access tokens that last two hours, refresh tokens, and the v2 API. Tokens stay valid as long as the value
/// exists.
package struct XSandbox: SimulatedProvider {
  /// The registered public client (in X's terms, a "Native App").
  static let publicClientID = "homeline-demo"
  /// The registered confidential client (in X's terms, a "Web App"). Its secret is public. It contains characters that must be form-encoded
  /// in the header, so clients that forget to encode it are refused.
  package static let confidentialClientID = "homeline-demo-web"
  package static let confidentialClientSecret = "open sesame:/&=%+"
  /// The scopes that both clients may request.
  static let scopes = [
    "tweet.read", "users.read", "offline.access", "tweet.write", "follows.read", "like.read", "list.read",
    "bookmark.read", "bookmark.write", "media.write",
  ]

  package var oauth2: OAuth2Server
  /// The v2 API's quirks.
  var quirks = V2Quirks()
  /// How far the provider's clock is ahead in `Date`, in the lifetimes of codes and tokens, and in rate limits.
  var clockOffset: Duration = .zero
  var api: V2API

  /// - Parameter redirects: the redirect URIs of both clients. They are compared byte by byte, including the port.
  package init(redirects: [String], policy: SandboxPolicy = SandboxPolicy()) {
    oauth2 = OAuth2Server(
      policy: .x,
      paths: OAuth2Paths(
        authorization: XRoute.authorizePage.path, token: XRoute.token.path, revocation: XRoute.revocation.path))
    for (id, secret) in [(Self.publicClientID, nil), (Self.confidentialClientID, Self.confidentialClientSecret)] {
      oauth2.register(SandboxClient(identifier: id, secret: secret, redirects: redirects, scopes: Self.scopes))
    }
    api = V2API(
      timeline: policy.timeline, user: .mira, limit: policy.rateLimit, window: policy.window)
  }

  package var bodyLimit: Int { 16 << 20 }

  package func uploadedFile(_ key: String) -> UploadedFile? { api.publications.uploads.store.file(key) }

  package func clock(at now: Timestamp) -> Timestamp { now + clockOffset }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    SimulatedResponse(response(to: request, at: clock(at: now), time: now))
  }

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("authorize", base + XRoute.authorizePage.path), GuideLine("token", base + XRoute.token.path),
      GuideLine("home timeline", base + TwitterRoute.reverseChronological.rawValue.replacing("{id}", with: "ID")),
      GuideLine("client id", "\(Self.publicClientID) (public: PKCE and no secret)"),
      GuideLine("client id", "\(Self.confidentialClientID) (confidential)"),
      GuideLine("client secret", Self.confidentialClientSecret),
    ] + GuideLine.registration(scopes: Self.scopes, redirects: redirects)
  }

  private mutating func response(to request: Request, at now: Timestamp, time: Timestamp) -> Response {
    do throws(OAuth2Error) {
      switch XRoute(request) {
      case .authorizePage, .authorize:
        return request.method == .get ? oauth2.authorizePage(request) : oauth2.decide(request, at: now)
      case .token: return Self.response(try oauth2.token(request, at: now))
      case .revocation:
        try oauth2.revoke(request, at: now)
        return Response(json: Array(#"{"revoked":true}"#.utf8))
      case nil: return apiResponse(to: request, at: now, time: time)
      }
    } catch { return error.xResponse }
  }

  private mutating func apiResponse(to request: Request, at now: Timestamp, time: Timestamp) -> Response {
    do throws(V2Error) {
      guard let route = TwitterRoute(request), route.isV2 else { throw .notFound }
      let grant: SandboxGrant
      do throws(AccessTokenError) { grant = try oauth2.admit(request, at: now) } catch { throw .unauthorized }
      guard grant.allows("tweet.read"), grant.allows("users.read") else { throw .forbidden }
      if let scope = route.scope, !grant.allows(scope) { throw .forbidden }
      return try api.response(to: request, route, from: grant.token, at: now, time: time, quirks: &quirks)
    } catch { return error.response }
  }

  /// X writes `token_type` in lower case.
  private static func response(_ issued: IssuedTokens) -> Response {
    var writer = JSONWriter()
    writer.object { issued.writeMembers(to: &$0, tokenType: "bearer") }
    var response = Response(json: writer.bytes)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}

/// X's OAuth 2.0 endpoints.
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

extension OAuth2Error {
  /// The error in X's form: nearly all errors are `invalid_request`. The messages about revoked refresh tokens and about used or expired
  /// codes are X's own; the others imitate them.
  var xResponse: Response {
    switch self {
    case .refreshTokenUnknown, .refreshTokenUsed, .refreshTokenExpired: Self.invalid("token was")
    case .codeUnknown, .codeUsed, .codeExpired: Self.invalid("authorization code was")
    case .wrongRedirect: Self.invalid("redirect uri did not match the uri of the authorization code", end: "")
    case .wrongVerifier: Self.invalid("code verifier did not match the code challenge", end: "")
    case .authenticationMissing, .unsupportedAuthentication, .wrongSecret:
      Self.response(.unauthorized, error: "unauthorized_client", description: "Missing valid authorization header")
    default: response
    }
  }

  private static func invalid(_ what: String, end: String = " invalid") -> Response {
    response(.badRequest, error: "invalid_request", description: "Value passed for the \(what)\(end).")
  }
}

extension OAuth2Policy {
  /// According to X's documentation: codes last 30 seconds and access tokens two hours, the `offline.access` scope adds a refresh token,
  /// and redirect URIs are compared byte by byte. Users of X report that reusing a refresh token revokes the login.
  static var x: OAuth2Policy {
    var policy = OAuth2Policy()
    policy.redirectMatch = .exact
    policy.proofKey = .required
    policy.allowsPlainChallenge = true
    policy.clientAuthentications = [.none, .basic]
    policy.codeLife = .seconds(30)
    policy.accessLife = .seconds(7_200)
    policy.refreshTokens = .withScope("offline.access")
    policy.rotation = .rotatingRevokesFamily
    return policy
  }
}
