package import CivilTime
package import HomelineOAuth
package import HTTP

/// An OAuth 1.0a provider with the faces of the Twitter API v1.1 and of X's API v2, as a value: request in, answer out, no I/O.
///
/// Tokens are made under the key and posts by the timeline's seed, so another process with the same key and timeline knows
/// both. What must be remembered for minutes only (nonces, used request tokens, limits) ends with the value;
/// `revokedTokens` is for the caller to keep.
package struct SandboxProvider: SandboxService {
  /// The application that is registered here. Its secret is no secret, and has letters that must be percent-encoded in the
  /// key of a signature, so that who forgets it is refused.
  package static let consumer = ClientCredentials(identifier: "sandbox", secret: Secret("open+sesame/&=%"))
  /// How the authorise page calls it.
  static let applicationName = "homeline"

  /// The only user.
  package static var userID: String { String(Author.mira.id) }
  package static var userScreenName: String { Author.mira.screenName }

  package var faults = SandboxFaults()
  private var gate: Gate
  private var legs: Legs
  private var api: API
  private var v2: V2API
  private let timeline: SandboxTimeline

  /// - Parameter revokedTokens: those of runs before.
  package init(key: SandboxKey, policy: SandboxPolicy = SandboxPolicy(), revokedTokens: Set<String> = []) {
    gate = Gate(
      seal: Seal(key), consumer: Self.consumer, userID: Author.mira.id, tolerance: policy.timestampTolerance,
      revoked: revokedTokens)
    timeline = policy.timeline
    legs = Legs(applicationName: Self.applicationName, user: .mira, life: policy.requestTokenLife)
    v2 = V2API(timeline: policy.timeline, user: .mira, limit: policy.rateLimit, window: policy.window)
    api = API(
      timeline: policy.timeline, user: .mira, isGNUSocial: policy.isGNUSocial,
      windows: RateWindows(limit: policy.rateLimit, length: policy.window))
  }

  /// Access tokens that their holders had invalidated.
  package var revokedTokens: Set<String> { gate.revoked }

  /// What the API v2 has delivered.
  package var ledger: SandboxLedger { v2.ledger }

  /// The time on this provider's clock when it is truly `now`.
  package func clock(at now: Timestamp) -> Timestamp { now + faults.clockOffset }

  /// Answers a request. `Date` is set by the provider's clock.
  package mutating func answer(to request: Request, at now: Timestamp) -> SandboxAnswer {
    let clock = clock(at: now)
    let route = SandboxRoute(request)
    let fault = route.flatMap { faults.next(for: $0) }
    var answer = SandboxAnswer(fault) { response(to: request, route, at: clock, time: now) }
    if let date = FieldValue(clock.imfFixdate) { answer.response.headers.set("Date", date) }
    return answer
  }

  private mutating func response(
    to request: Request, _ route: SandboxRoute?, at now: Timestamp, time: Timestamp
  ) -> Response {
    if let route, route.isV2 {
      do throws(V2Refusal) {
        let token = try v2Token(request, at: now)
        return try v2.answer(request, to: route, from: token, at: now, time: time, faults: &faults.v2)
      } catch { return error.response }
    }
    do throws(Refusal) {
      switch route {
      case nil:
        guard let page = PostPage.response(to: request, in: timeline, at: time) else { throw .notFound }
        return page
      case .requestToken: return try legs.requestToken(request, gate: &gate, at: now)
      case .authorize where request.method == .get: return try legs.authorizePage(request, gate: gate, at: now)
      case .authorize: return try legs.authorize(request, gate: gate, at: now)
      case .accessToken: return try legs.accessToken(request, gate: &gate, at: now)
      case .some(let route):
        return try api.answer(request, to: route, gate: &gate, at: now, time: time, late: faults.latePosts)
      }
    } catch {
      return error.response
    }
  }

  /// The token of a signed request to the API v2.
  private mutating func v2Token(_ request: Request, at now: Timestamp) throws(V2Refusal) -> String {
    do throws(Refusal) { return try gate.admit(request, as: .user, at: now).token } catch { throw V2Refusal(error) }
  }
}

/// What can be chosen of a sandbox.
package struct SandboxPolicy: Sendable {
  package var timeline = SandboxTimeline()
  /// Whether the API v1.1 answers as GNU social does, instead of as Twitter did.
  package var isGNUSocial = false
  /// Requests that one token may make to one route of the API within `window`. Twitter gave 15 of the home timeline, which
  /// would stall a demo.
  package var rateLimit = 180
  package var window: Duration = .seconds(15 * 60)
  /// How far a request's timestamp may be from this clock, before or after.
  package var timestampTolerance: Duration = .seconds(300)
  var requestTokenLife: Duration = .seconds(600)

  package init() {}
}
