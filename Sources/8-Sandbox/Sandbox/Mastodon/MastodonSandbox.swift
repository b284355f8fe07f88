package import HTTP
package import Time

/// A Mastodon-compatible server. Tokens stay valid as long as the value exists.
package struct MastodonSandbox: SimulatedProvider {
  let flavour: MastodonFlavour
  var quirks = MastodonQuirks()
  var oauth: OAuth2Server
  private(set) var api: MastodonAPI
  private var applications = 0

  /// - Parameter limit: the number of requests allowed per token in five minutes.
  package init(
    _ flavour: MastodonFlavour = .mastodon, timeline: SandboxTimeline = SandboxTimeline(), limit: Int = 300
  ) {
    self.flavour = flavour
    oauth = OAuth2Server(policy: flavour.policy)
    api = MastodonAPI(flavour, timeline: timeline, limit: limit)
  }

  package func uploadedFile(_ key: String) -> UploadedFile? { api.publications.uploads.file(key) }

  package var bodyLimit: Int { 128 << 20 }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    if let fate = quirks.fate { return SimulatedResponse(Self.response(of: fate, to: request)) }
    var response = routed(request, at: now)
    if let date = FieldValue(now.imfFixdate) { response.headers.set("Date", date) }
    return SimulatedResponse(response)
  }

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("registration", base + MastodonRoute.apps.rawValue),
      GuideLine("authorize", base + MastodonRoute.authorize.rawValue),
      GuideLine("token", base + MastodonRoute.token.rawValue),
      GuideLine("home timeline", base + MastodonRoute.homeTimeline.rawValue),
    ]
  }

  private mutating func routed(_ request: Request, at now: Timestamp) -> Response {
    let host = request.headers.first(.host) ?? ""
    let base = "http://\(host)"
    let quirks = quirks.applied(to: request)
    if let response = flavour.nodeInfo.response(to: request, user: Author.mira.screenName) { return response }
    do throws(MastodonError) {
      switch MastodonRoute(request) {
      case nil: throw .notFound
      case .metadata:
        guard flavour == .mastodon else { throw .notFound }
        return MastodonInstanceWriter.metadata(oauth, base: base)
      case .apps: return try register(request)
      case .authorize where request.method == .get: return oauth.authorizePage(request)
      case .authorize: return oauth.decide(request, at: now)
      case .token: return token(Self.withoutToken(request), base: base, at: now)
      case .revoke: return revoke(Self.withoutToken(request), at: now)
      case .instance: return MastodonInstanceWriter.v1(flavour, host: host)
      case .newInstance:
        guard flavour != .snac else { throw .notFound }
        return MastodonInstanceWriter.v2(flavour, host: host, quirks)
      case .some(let route):
        return api.response(to: request, route, by: try grant(request, route, at: now), base: base, at: now, quirks)
      }
    } catch { return error.response(flavour) }
  }

  private mutating func register(_ request: Request) throws(MastodonError) -> Response {
    applications += 1
    let (client, response) = try MastodonApps.register(request, flavour, number: applications)
    oauth.register(client)
    return response
  }

  private mutating func token(_ request: Request, base: String, at now: Timestamp) -> Response {
    do throws(OAuth2Error) {
      let issued = try oauth.token(request, at: now)
      let scope = try? RequestForm(body: request).value("scope")
      return MastodonTokens.response(issued, flavour, isScopeRequested: scope != nil, base: base, at: now)
    } catch { return MastodonTokens.response(error, flavour) }
  }

  private mutating func revoke(_ request: Request, at now: Timestamp) -> Response {
    do throws(OAuth2Error) {
      try oauth.revoke(request, at: now)
      // snac also removes the application.
      if flavour == .snac, let client = try? RequestForm(body: request).value("client_id") {
        oauth.forget(client: client)
      }
      return Response(json: Array("{}".utf8))
    } catch { return MastodonTokens.response(error, flavour) }
  }

  /// Removes the access token from the request's header. Mastodon.py also sends it to the token endpoint, where these servers ignore it.
  private static func withoutToken(_ request: Request) -> Request {
    guard request.headers.first("Authorization")?.lowercased().hasPrefix("bearer ") == true else { return request }
    var request = request
    request.headers.remove("Authorization")
    return request
  }

  private func grant(
    _ request: Request, _ route: MastodonRoute, at now: Timestamp
  ) throws(MastodonError) -> SandboxGrant {
    do throws(AccessTokenError) { return try oauth.admit(request, at: now) } catch {
      // snac gives no reason, and returns a different status when the client requests the token's user.
      throw flavour == .snac && route == .verifyCredentials ? .invalid("") : .token(error)
    }
  }

  private static func response(of fate: MastodonQuirks.Fate, to request: Request) -> Response {
    switch fate {
    case .parked:
      return Response(
        status: .ok, type: "text/html; charset=utf-8",
        text: "<!DOCTYPE html><title>This domain is for sale</title><p>Ask for the price.</p>")
    case .moved(let place):
      var response = Response(
        status: StatusCode(301), type: "text/html", text: "<html><body>Moved</body></html>")
      let query = request.target.query.map { "?" + $0 } ?? ""
      if let location = FieldValue(place + request.target.path + query) { response.headers.set("Location", location) }
      return response
    }
  }
}
