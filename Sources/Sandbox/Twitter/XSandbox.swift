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

extension OAuth2Failure {
  /// In the words of X, which calls nearly everything an invalid request. Those of a dead refresh token and of a used or late
  /// code are X's own; the others follow their manner.
  var xResponse: Response {
    switch self {
    case .refreshTokenUnknown, .refreshTokenUsed, .refreshTokenExpired: Self.invalid("token was")
    case .codeUnknown, .codeUsed, .codeExpired: Self.invalid("authorization code was")
    case .wrongRedirect: Self.invalid("redirect uri did not match the uri of the authorization code", end: "")
    case .wrongVerifier: Self.invalid("code verifier did not match the code challenge", end: "")
    case .authenticationMissing, .authenticationNotTaken, .wrongSecret:
      Self.response(.unauthorized, error: "unauthorized_client", description: "Missing valid authorization header")
    default: response
    }
  }

  private static func invalid(_ what: String, end: String = " invalid") -> Response {
    response(.badRequest, error: "invalid_request", description: "Value passed for the \(what)\(end).")
  }
}

extension OAuth2Policy {
  /// What X documents: codes of 30 seconds, access tokens of two hours, a refresh token for `offline.access`, redirect URIs
  /// equal in every byte. That a refresh token used twice ends the login is what its users report.
  static var x: OAuth2Policy {
    var policy = OAuth2Policy()
    policy.redirectMatch = .exact
    policy.proofKey = .required
    policy.allowsPlainChallenge = true
    policy.clientAuthentications = [.none, .basic]
    policy.codeLife = .seconds(30)
    policy.accessLife = .seconds(7_200)
    policy.refreshTokens = .withScope("offline.access")
    policy.rotation = .rotatingKillsFamily
    return policy
  }
}
