package import Bytes
package import HTTPClient
package import HomelineOAuth
internal import JSON
internal import Posting
package import Timeline

/// X's v2 API, accessed on the user's behalf with OAuth 1.0a or 2.0. Every delivered post costs money.
package struct X: Provider {
  package static let name = "x"

  package let authorization: ProviderAuthorization
  private let usersMe: RequestURL
  /// `{id}` in its path is replaced with the user's id.
  let homeTimeline: RequestURL

  /// The documented limit is 180 requests in 15 minutes, but a limit of one in 15 minutes has been observed and is used here. The cost of
  /// fetching new posts does not depend on the time. No post is fetched twice, because X would charge for it twice.
  private static let home = TimelineTraits(
    pageSize: 100, reach: 3200, overlap: .zero, firstFill: 50, window: .kind)

  package let traits = ProviderTraits(requestsPerMinute: 30)

  package func traits(of timeline: TimelineName) -> TimelineTraits? { timeline == .home ? Self.home : nil }

  package init?(at place: ProviderLocation) throws(RequestURLError) {
    authorization = try ProviderAuthorization(x: place)
    usersMe = try place.url(.usersMe, "/2/users/me", below: XServer.api)
    homeTimeline = try place.url(.homeTimeline, Self.timelinePath, below: XServer.api)
  }

  /// The origin that issues the tokens, in either protocol.
  package var server: String { XServer.identity(authorization.tokenOrigin ?? homeTimeline.origin) }

  package var host: String { homeTimeline.origin }

  package func userRequest() -> ClientRequest? {
    .get(usersMe, query: [Parameter("user.fields", XFields.user)])
  }

  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep {
    try object(in: response, expected: "a user") { cursor in try XUserResponse(&cursor).user.map { .user($0) } }
  }

  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    .get(timeline(of: query.userID), query: XPageQuery(query, pageSize: Self.home.pageSize).parameters)
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    let writer = XPostWriter(permalink: isAtX ? { "https://x.com/\($0)/status/\($1)" } : { _, _ in nil })
    let bounds = XPageQuery(query, pageSize: Self.home.pageSize)
    let fetched = try object(in: response, expected: "a timeline") { cursor in
      guard let document = try XTimelineResponse(&cursor) else { return PageResponse.Fetched?.none }
      return try XPage(document, writer).fetched(for: bounds, at: response.receivedAt)
    }
    return .page(fetched)
  }

  package func revocationRequest() -> ClientRequest? {
    guard case .oauth1(let endpoints) = authorization else { return nil }
    return endpoints.invalidateToken.map { .post($0) }
  }

  /// X's response to an invalid refresh token or code has no standard error code.
  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> ProviderFailure {
    if case .refused(let refusal) = error, XRefusal.isDeadToken(refusal) {
      return .needsLogin("X says “\(refusal.message)”")
    }
    return ProviderFailure(error, in: response)
  }

  package var errorFormat: ErrorFormat { [.error, .problem] }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? {
    switch ProviderFailure(response) {
    case .configuration(let message)? where XRefusal.isBareUnauthorized(response):
      // X once returned this response to everyone for hours, so it does not prove that the user revoked access.
      .transient(
        message + " X sends the same response during outages. If this persists, log in again.",
        until: response.retryAfter)
    case .refused(let message, _)? where XRefusal.namesSince(response): .sinceRefused(message)
    case let failure: failure
    }
  }

  /// Returns the timeline's address with the user's id. Without an id, it uses `me`, which X refuses with an explanation.
  private func timeline(of userID: String?) -> RequestURL {
    let endpoint = homeTimeline
    let id = PercentEncoding.encode(userID ?? "me")
    let path = endpoint.path.replacing("{id}", with: id).replacing("%7Bid%7D", with: id)
    let target = path + (endpoint.query.map { "?" + $0 } ?? "")
    return (try? RequestURL(scheme: endpoint.scheme, hostHeader: endpoint.authority, target: target)) ?? endpoint
  }

  var isAtX: Bool { XServer.isOwn(homeTimeline.host) }
}

/// Parts of the requests that publish posts and files.
extension X {
  static let timelinePath = "/2/users/{id}/timelines/reverse_chronological"

  /// Returns an address of the API, derived from the address of the home timeline; `nil` if that address has a different path.
  func endpoint(_ path: String) -> RequestURL? {
    let timeline = homeTimeline.text.replacing("%7Bid%7D", with: "{id}")
    guard homeTimeline.query == nil, timeline.hasSuffix(Self.timelinePath) else { return nil }
    return try? RequestURL(timeline.dropLast(Self.timelinePath.count) + path)
  }

  /// Returns a JSON object.
  static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(body)
    return json.bytes
  }
}

/// X's authorisation: OAuth 1.0a, or OAuth 2.0 with PKCE.
extension ProviderAuthorization {
  init(x place: ProviderLocation) throws(RequestURLError) {
    switch place.version {
    case .oauth1:
      self = .oauth1(
        try OAuth1Endpoints(place, below: XServer.api, invalidation: "/1.1/oauth/invalidate_token"))
    case .oauth2:
      // Only X's own server has the authorisation page at a different address from the API.
      let endpoints = OAuth2Endpoints(
        issuer: nil, promisesIssuer: false,
        authorize: try place.url(.authorize, "/i/oauth2/authorize", below: XServer.web),
        token: try place.url(.token, "/2/oauth2/token", below: XServer.api),
        revocation: try place.url(.revoke, "/2/oauth2/revoke", below: XServer.api))
      self = .oauth2(
        OAuth2Profile(
          endpoints: endpoints, scopes: place.scopes ?? APIScopes.x.home))
    }
  }

  /// The origin of the token endpoint.
  var tokenOrigin: String? {
    switch self {
    case .oauth1(let endpoints): endpoints.accessToken.origin
    case .oauth2(let profile): profile.endpoints?.token.origin
    }
  }
}

/// Refusals that are specific to X.
enum XRefusal {
  /// Returns whether a response is a 401 without a reason: `{"title":"Unauthorized","type":"about:blank","status":401,
  /// "detail":"Unauthorized"}`.
  static func isBareUnauthorized(_ response: ProviderResponse) -> Bool {
    guard response.status == 401, let refusal = refusal(response) else { return false }
    return refusal.code == nil && refusal.problem == nil && refusal.type == "about:blank"
      && refusal.message == "Unauthorized"
  }

  /// Returns whether a 400 response refuses `since_id`, in its message or its list of parameters.
  static func namesSince(_ response: ProviderResponse) -> Bool {
    response.status == 400 && String(decoding: response.body.prefix(8192), as: UTF8.self).contains("since_id")
  }

  /// Returns whether a token or a code is invalid, according to X's own error message.
  static func isDeadToken(_ refusal: OAuth2EndpointError) -> Bool {
    refusal.code == "invalid_request" && (refusal.description ?? "").hasPrefix("Value passed for the ")
      && (refusal.description ?? "").contains("was invalid")
  }

  private static func refusal(_ response: ProviderResponse) -> OAuth.ProviderError? {
    OAuth.ProviderError(response.oauthWithoutChallenge, expecting: "JSON")
  }
}
