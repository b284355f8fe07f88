package import CivilTime
package import HTTP

/// Weibo with its OAuth 2.0 and the part of its API v2 that a home timeline needs, as a value.
package struct WeiboSandbox: SandboxService {
  /// The application that is registered here: app key and app secret. Its secret is no secret.
  package static let clientID = "2026112100"
  package static let clientSecret = "weibo-sandbox-app-secret"
  /// What applications may ask for beyond the basic.
  package static let scopes = [
    "all", "email", "friendships_groups_read", "statuses_to_me_read", "follow_app_official_microblog",
  ]

  /// Ordinary applications' tokens live so long; 5 years for those of the developers themselves.
  package static let tokenLife = Duration.seconds(30 * 86_400)

  package var faults = FaultList()
  package var quirks = WeiboQuirks()
  /// How far the provider's clock is ahead. The posts keep the true time.
  package var clockOffset: Duration = .zero
  private var tokens: WeiboTokens
  private var api: WeiboAPI

  /// - Parameters:
  ///   - redirects: the registered callback addresses; the page for pasting is one of them always.
  ///   - ledger: what was asked for in runs before.
  package init(
    redirects: [String], timeline: SandboxTimeline = SandboxTimeline(), policy: OAuth2Policy = Self.policy,
    ledger: WeiboLedger = WeiboLedger()
  ) {
    tokens = WeiboTokens(
      client: RegisteredClient(
        identifier: Self.clientID, secret: Self.clientSecret, redirects: redirects, scopes: Self.scopes),
      policy: policy)
    api = WeiboAPI(timeline: timeline, user: .mira, ledger: ledger)
  }

  /// Scopes between commas, no PKCE, no refresh token, and the secret in the body or in the query.
  package static var policy: OAuth2Policy {
    var policy = OAuth2Policy()
    policy.proofKey = .ignored
    policy.scopeSeparator = ","
    policy.defaultScopes = []
    policy.clientAuthentications = [.body]
    policy.readsTokenQuery = true
    policy.accessLife = tokenLife
    policy.refreshTokens = .never
    policy.tokenPlaces = [.query, .form, .oauth2]
    return policy
  }

  /// How authorisation goes on: what there is no word for in `quirks`.
  package var policy: OAuth2Policy {
    get { tokens.server.policy }
    set { tokens.server.policy = newValue }
  }

  /// What was asked for today; to be kept from run to run.
  package var ledger: WeiboLedger { api.ledger }

  package func clock(at now: Timestamp) -> Timestamp { now + clockOffset }

  /// The user takes back what every application was granted, or changes the password.
  package mutating func revokeAll() { tokens.server.revokeAll() }

  package mutating func answer(to request: Request, at now: Timestamp) -> SandboxAnswer {
    let clock = clock(at: now)
    let path = request.target.path
    let fault = faults.next(for: path)
    var answer = SandboxAnswer(fault) { response(to: request, path, at: clock, time: now) }
    if let date = FieldValue(clock.imfFixdate) { answer.response.headers.set("Date", date) }
    return answer
  }

  private mutating func response(to request: Request, _ path: String, at now: Timestamp, time: Timestamp) -> Response {
    if quirks.isBanned, path.hasPrefix("/2/") {
      return Response(status: .ok, headers: [.contentType: "application/json;charset=UTF-8"])
    }
    do throws(WeiboRefusal) {
      switch WeiboRoute(rawValue: path) {
      case .authorize: return tokens.authorize(request, at: now, quirks)
      case .defaultPage: return tokens.defaultPage()
      case .token: return try tokens.issue(request, at: now, quirks)
      case .tokenInfo: return try tokens.info(request, at: now, quirks)
      case .revocation: return try tokens.revoke(request, quirks)
      case .usersShow, .homeTimeline, .rateLimitStatus:
        try admit(request, at: now)
        return try api.answer(request, to: WeiboRoute(rawValue: path)!, at: now, time: time, quirks)
      case nil: throw .unknownAddress
      }
    } catch { return error.response(to: path, quirks) }
  }

  private func admit(_ request: Request, at now: Timestamp) throws(WeiboRefusal) {
    do throws(TokenFault) { _ = try tokens.server.admit(request, at: now) } catch {
      throw WeiboRefusal(error, status: quirks.tokenStatus)
    }
  }
}
