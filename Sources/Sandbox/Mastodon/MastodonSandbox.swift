package import CivilTime
package import HTTP

/// A server of Mastodon's API as a value: request in, answer out, no I/O. What it issues is known for as long as the value lives.
package struct MastodonSandbox: SandboxService {
  let flavour: MastodonFlavour
  /// What goes wrong with single answers, path by path.
  package var faults = FaultList()
  /// What is odd all the time.
  package var oddities = MastodonFaults()
  private var oauth: OAuth2Server
  private var api: MastodonAPI
  private var applications = 0

  /// - Parameters:
  ///   - timeline: what the user sees.
  ///   - limit: how many requests a token has in five minutes.
  package init(
    _ flavour: MastodonFlavour = .mastodon, timeline: SandboxTimeline = SandboxTimeline(), limit: Int = 300
  ) {
    self.flavour = flavour
    oauth = OAuth2Server(policy: flavour.policy)
    api = MastodonAPI(flavour, timeline: timeline, limit: limit)
  }

  /// How its OAuth 2.0 departs from the standards, to be changed between two requests.
  package var policy: OAuth2Policy {
    get { oauth.policy }
    set { oauth.policy = newValue }
  }

  /// All applications are forgotten, as before 4.3 those were that had not been used for a while.
  package mutating func forgetApplications() {
    for identifier in oauth.clients.keys { oauth.forget(client: identifier) }
  }

  /// Answers a request. `Date` is set by the clock of the server.
  package mutating func answer(to request: Request, at now: Timestamp) -> SandboxAnswer {
    if let fate = oddities.fate { return SandboxAnswer(response: Self.response(of: fate, to: request)) }
    let fault = faults.next(for: request.target.path)
    var answer = SandboxAnswer(fault) { response(to: request, at: now) }
    if let date = FieldValue(now.imfFixdate) { answer.response.headers.set("Date", date) }
    return answer
  }

  private mutating func response(to request: Request, at now: Timestamp) -> Response {
    let host = request.headers.first(.host) ?? ""
    let base = "http://\(host)"
    do throws(MastodonFailure) {
      switch MastodonRoute(request) {
      case nil: throw .notFound
      case .metadata:
        guard flavour == .mastodon else { throw .notFound }
        return MastodonInstance.metadata(oauth, base: base)
      case .apps: return try register(request)
      case .authorize where request.method == .get: return oauth.authorizePage(request)
      case .authorize: return oauth.decide(request, at: now)
      case .token: return token(Self.withoutToken(request), base: base, at: now)
      case .revoke: return revoke(Self.withoutToken(request), at: now)
      case .instance: return MastodonInstance.old(flavour, host: host)
      case .newInstance:
        guard flavour != .snac else { throw .notFound }
        return MastodonInstance.new(flavour, host: host)
      case .some(let route):
        return api.answer(request, to: route, by: try grant(request, route, at: now), base: base, at: now, oddities)
      }
    } catch { return error.response(flavour) }
  }

  private mutating func register(_ request: Request) throws(MastodonFailure) -> Response {
    applications += 1
    let (client, response) = try MastodonApps.register(request, flavour, number: applications)
    oauth.register(client)
    return response
  }

  private mutating func token(_ request: Request, base: String, at now: Timestamp) -> Response {
    do throws(OAuth2Failure) {
      let issued = try oauth.token(request, at: now)
      let asked = try? RequestForm(body: request).value("scope")
      return MastodonTokens.response(issued, flavour, isScopeAsked: asked != nil, base: base, at: now)
    } catch { return MastodonTokens.response(error, flavour) }
  }

  private mutating func revoke(_ request: Request, at now: Timestamp) -> Response {
    do throws(OAuth2Failure) {
      try oauth.revoke(request, at: now)
      // snac takes the application for done with as well.
      if flavour == .snac, let client = try? RequestForm(body: request).value("client_id") {
        oauth.forget(client: client)
      }
      return Response(json: Array("{}".utf8))
    } catch { return MastodonTokens.response(error, flavour) }
  }

  /// The request without an access token in its header, which says nothing of the client: such servers do not look at it there, and
  /// Mastodon.py sends it.
  private static func withoutToken(_ request: Request) -> Request {
    guard request.headers.first("Authorization")?.lowercased().hasPrefix("bearer ") == true else { return request }
    var request = request
    request.headers.remove("Authorization")
    return request
  }

  private func grant(
    _ request: Request, _ route: MastodonRoute, at now: Timestamp
  ) throws(MastodonFailure) -> TokenGrant {
    do throws(TokenFault) { return try oauth.admit(request, at: now) } catch {
      // snac says neither who nor why, and where it is asked whose the token is it has a status of its own.
      throw flavour == .snac && route == .verifyCredentials ? .invalid("") : .token(error)
    }
  }

  private static func response(of fate: MastodonFaults.Fate, to request: Request) -> Response {
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
