package import HTTP
package import Time

/// Weibo, with its variant of OAuth 2.0 and its v2 API.
package struct WeiboSandbox: SimulatedProvider {
  /// The app key and app secret of the registered application. The secret is public.
  static let clientID = "2026112100"
  static let clientSecret = "weibo-sandbox-app-secret"
  /// The scopes that applications may request beyond the basic one.
  static let scopes = [
    "all", "email", "friendships_groups_read", "statuses_to_me_read", "follow_app_official_microblog",
  ]

  /// The lifetime of ordinary applications' tokens. Tokens of the application's own developer last 5 years.
  static let tokenLife = Duration.seconds(30 * 86_400)

  var quirks = WeiboQuirks()
  /// How far the provider's clock is ahead. Posts keep the actual time.
  var clockOffset: Duration = .zero
  var tokens: WeiboTokens
  private(set) var api: WeiboAPI

  /// - Parameter redirects: the registered redirect URIs. ``WeiboRoute/defaultPage`` is always registered in addition.
  package init(
    redirects: [String], timeline: SandboxTimeline = SandboxTimeline(), policy: OAuth2Policy = Self.policy
  ) {
    tokens = WeiboTokens(
      client: SandboxClient(
        identifier: Self.clientID, secret: Self.clientSecret, redirects: redirects, scopes: Self.scopes),
      policy: policy)
    api = WeiboAPI(timeline: timeline, user: .mira)
  }

  /// Weibo's rules: commas between scopes, no PKCE, no refresh tokens, and the client secret in the body or the query.
  package static var policy: OAuth2Policy {
    var policy = OAuth2Policy()
    policy.proofKey = .ignored
    policy.scopeSeparator = ","
    policy.defaultScopes = []
    policy.clientAuthentications = [.body]
    policy.readsTokenQuery = true
    policy.accessLife = tokenLife
    policy.refreshTokens = .never
    policy.tokenLocations = [.query, .form, .oauth2]
    return policy
  }

  package var bodyLimit: Int { 8 << 20 }

  package func clock(at now: Timestamp) -> Timestamp { now + clockOffset }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    let clock = clock(at: now)
    var response = response(to: request, request.target.path, at: clock, time: now)
    if let date = FieldValue(clock.imfFixdate) { response.headers.set("Date", date) }
    return SimulatedResponse(response)
  }

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("authorize", base + WeiboRoute.authorize.path), GuideLine("token", base + WeiboRoute.token.path),
      GuideLine("home timeline", base + WeiboRoute.homeTimeline.path), GuideLine("client id", Self.clientID),
      GuideLine("client secret", Self.clientSecret),
    ] + GuideLine.registration(scopes: Self.scopes, redirects: redirects)
  }

  private mutating func response(to request: Request, _ path: String, at now: Timestamp, time: Timestamp) -> Response {
    if quirks.isBanned, path.hasPrefix("/2/") {
      return Response(status: .ok, headers: [.contentType: "application/json;charset=UTF-8"])
    }
    do throws(WeiboError) {
      switch WeiboRoute(rawValue: path) {
      case .authorize: return tokens.authorize(request, at: now, quirks)
      case .defaultPage: return tokens.defaultPage()
      case .token: return try tokens.issue(request, at: now, quirks)
      case .tokenInfo: return try tokens.info(request, at: now, quirks)
      case .revocation: return try tokens.revoke(request, quirks)
      case .usersShow, .homeTimeline, .share, .rateLimitStatus:
        let share = try WeiboShareForm(request)
        try admit(share.request, at: now)
        return try api.response(
          to: share.request, with: share.picture, WeiboRoute(rawValue: path)!, at: now, time: time, quirks)
      case nil: throw .unknownAddress
      }
    } catch { return error.response(to: path, quirks) }
  }

  private func admit(_ request: Request, at now: Timestamp) throws(WeiboError) {
    do throws(AccessTokenError) { _ = try tokens.server.admit(request, at: now) } catch {
      throw WeiboError(error, status: quirks.tokenStatus)
    }
  }
}
