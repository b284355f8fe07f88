package import CivilTime
package import HTTP
internal import JSON

/// X with OAuth 2.0, as a value: authorisation with PKCE, tokens of two hours that are refreshed, and the API v2 over them.
///
/// Tokens live as long as the value.
package struct XSandbox: SandboxService {
  /// The public client that is registered here (X: a "Native App").
  package static let publicClientID = "homeline-demo"
  /// The confidential one (X: a "Web App"). Its secret is no secret, and has letters that must be form-encoded in the
  /// header, so that who forgets it is refused.
  package static let confidentialClientID = "homeline-demo-web"
  package static let confidentialClientSecret = "open sesame:/&=%+"
  /// Of an application that reads, and of one that would do more.
  package static let scopes = [
    "tweet.read", "users.read", "offline.access", "tweet.write", "follows.read", "like.read", "list.read",
    "bookmark.read",
  ]

  /// To be changed by whoever wants another server.
  package var oauth2: OAuth2Server
  /// By paths, those of `XRoute` and of the API v2.
  package var faults = FaultList()
  package var v2Faults = V2Faults()
  /// How far the provider's clock is ahead: in `Date`, in the lives of codes and tokens, in limits.
  package var clockOffset: Duration = .zero
  private var api: V2API

  /// - Parameter redirects: those of both clients; each port is another address.
  package init(redirects: [String], policy: SandboxPolicy = SandboxPolicy()) {
    oauth2 = OAuth2Server(
      policy: .x,
      paths: OAuth2Paths(
        authorization: XRoute.authorizePage.path, token: XRoute.token.path, revocation: XRoute.revocation.path))
    for (id, secret) in [(Self.publicClientID, nil), (Self.confidentialClientID, Self.confidentialClientSecret)] {
      oauth2.register(RegisteredClient(identifier: id, secret: secret, redirects: redirects, scopes: Self.scopes))
    }
    api = V2API(
      timeline: policy.timeline, user: .mira, limit: policy.rateLimit, window: policy.window)
  }

  /// What the API v2 has delivered.
  package var ledger: SandboxLedger { api.ledger }

  package func clock(at now: Timestamp) -> Timestamp { now + clockOffset }

  package mutating func answer(to request: Request, at now: Timestamp) -> SandboxAnswer {
    let fault = faults.next(for: request.target.path)
    let clock = clock(at: now)
    return SandboxAnswer(fault) { response(to: request, at: clock, time: now) }
  }

  private mutating func response(to request: Request, at now: Timestamp, time: Timestamp) -> Response {
    do throws(OAuth2Failure) {
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
    do throws(V2Refusal) {
      guard let route = SandboxRoute(request), route.isV2 else { throw .notFound }
      let grant: TokenGrant
      do throws(TokenFault) { grant = try oauth2.admit(request, at: now) } catch { throw .unauthorized }
      guard grant.allows("tweet.read"), grant.allows("users.read") else { throw .forbidden }
      return try api.answer(request, to: route, from: grant.token, at: now, time: time, faults: &v2Faults)
    } catch { return error.response }
  }

  /// `token_type` is in small letters there.
  private static func response(_ issued: IssuedTokens) -> Response {
    var writer = JSONWriter()
    writer.object { issued.writeMembers(to: &$0, tokenType: "bearer") }
    var response = Response(json: writer.bytes)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}
