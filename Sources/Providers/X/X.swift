package import HomelineOAuth
internal import JSON
internal import Timeline

/// X's API v2, asked in the user's name with OAuth 1.0a or 2.0. Every post that it delivers costs money.
package struct X: Provider {
  package static let name = "x"

  package let authorization: ProviderAuthorization
  private let usersMe: RequestURL
  /// Where `{id}` stands in its path, the user's id is put.
  private let homeTimeline: RequestURL

  /// 180 requests in 15 minutes are allowed on paper, but one in 15 minutes has been seen: so that is how often it is asked. What
  /// comes meanwhile costs the same, whenever it is fetched. Nothing is fetched twice, since it would be billed twice.
  package let traits = ProviderTraits(
    pageSize: 100, reach: 3200, overlap: .zero, firstFill: 50, requestsPerMinute: 30)

  package init?(at place: ProviderPlace) throws(RequestURLError) {
    authorization = try ProviderAuthorization(x: place)
    usersMe = try place.url(.usersMe, "/2/users/me", below: XServer.api)
    homeTimeline = try place.url(
      .homeTimeline, "/2/users/{id}/timelines/reverse_chronological", below: XServer.api)
  }

  /// The origin that gives the tokens, whichever protocol they are given by.
  package var server: String { XServer.identity(authorization.tokenOrigin ?? homeTimeline.origin) }

  package var host: String { homeTimeline.origin }

  package func userRequest() -> ProviderRequest? {
    .get(usersMe, query: [Parameter("user.fields", XFields.user)])
  }

  package func userStep(after answer: ProviderAnswer) throws(ProviderError) -> UserStep {
    try object(in: answer, expected: "a user") { cursor in try XUserResponse(&cursor).user.map { .user($0) } }
  }

  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    .get(timeline(of: query.userID), query: XPageQuery(query, pageSize: traits.pageSize).parameters)
  }

  package func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer {
    let writer = XPostWriter(permalink: isAtX ? { "https://x.com/\($0)/status/\($1)" } : { _, _ in nil })
    let bounds = XPageQuery(query, pageSize: traits.pageSize)
    let fetched = try object(in: answer, expected: "a timeline") { cursor in
      guard let document = try XTimelineResponse(&cursor) else { return PageAnswer.Fetched?.none }
      return try XPage(document, writer).fetched(for: bounds, at: answer.receivedAt)
    }
    return .page(fetched)
  }

  package func revocationRequest() -> ProviderRequest? {
    guard case .oauth1(let legs) = authorization else { return nil }
    return legs.invalidateToken.map { .post($0) }
  }

  /// X says neither `invalid_grant` nor anything else that the standard knows of a refresh token or code that is no longer good.
  package func judgeToken(_ error: OAuth2AnswerError, in answer: ProviderAnswer) -> TokenVerdict {
    if case .refused(let refusal) = error, XRefusal.isDeadToken(refusal) { return .dead(refusal.words) }
    return TokenVerdict(error, in: answer)
  }

  package func judge(_ answer: ProviderAnswer) -> Verdict? {
    switch Verdict(answer) {
    case .configuration(let words)? where XRefusal.isBareUnauthorized(answer):
      // X has answered like this to everybody for hours: it is no proof that the user took the access back.
      .transient(
        words + " X says the same when it is out of order itself. If it stays so, log in again.",
        until: answer.retryAfter)
    case .refused(let words)? where XRefusal.namesSince(answer): .sinceRefused(words)
    case let verdict: verdict
    }
  }

  /// The address with the user's id in it. Without one X is asked for `me`, which it refuses in words that say why.
  private func timeline(of userID: String?) -> RequestURL {
    let endpoint = homeTimeline
    let id = PercentEncoding.encode(userID ?? "me")
    let path = endpoint.path.replacing("{id}", with: id).replacing("%7Bid%7D", with: id)
    let target = path + (endpoint.query.map { "?" + $0 } ?? "")
    return (try? RequestURL(scheme: endpoint.scheme, hostHeader: endpoint.authority, target: target)) ?? endpoint
  }

  private var isAtX: Bool { XServer.isOwn(homeTimeline.host) }
}

/// How X is authorised: with the three legs of OAuth 1.0a, or with OAuth 2.0 and PKCE.
extension ProviderAuthorization {
  init(x place: ProviderPlace) throws(RequestURLError) {
    switch place.scheme {
    case .oauth1:
      self = .oauth1(
        try OAuth1Endpoints(place, below: XServer.api, invalidation: "/1.1/oauth/invalidate_token"))
    case .oauth2:
      // Only at its own server do users press the button elsewhere than where the API is.
      let endpoints = OAuth2Endpoints(
        issuer: nil, promisesIssuer: false,
        authorize: try place.url(.authorize, "/i/oauth2/authorize", below: XServer.web),
        token: try place.url(.token, "/2/oauth2/token", below: XServer.api),
        revocation: try place.url(.revoke, "/2/oauth2/revoke", below: XServer.api))
      self = .oauth2(
        OAuth2Profile(
          endpoints: endpoints, scopes: place.scopes ?? ["tweet.read", "users.read", "offline.access"]))
    }
  }

  /// Where tokens come from.
  var tokenOrigin: String? {
    switch self {
    case .oauth1(let legs): legs.accessToken.origin
    case .oauth2(let profile): profile.endpoints?.token.origin
    }
  }
}

/// What X's refusals say beyond what is known of all providers'.
enum XRefusal {
  /// A 401 that gives no reason: `{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}`.
  static func isBareUnauthorized(_ answer: ProviderAnswer) -> Bool {
    guard answer.status == 401, let refusal = refusal(answer) else { return false }
    return refusal.code == nil && refusal.problem == nil && refusal.type == "about:blank"
      && refusal.message == "Unauthorized"
  }

  /// A 400 that complains of `since_id`, in its words or in the list of parameters.
  static func namesSince(_ answer: ProviderAnswer) -> Bool {
    answer.status == 400 && String(decoding: answer.body.prefix(8192), as: UTF8.self).contains("since_id")
  }

  /// Whether a token or a code is no longer good, in X's own words for it.
  static func isDeadToken(_ refusal: OAuth2Refusal) -> Bool {
    refusal.code == "invalid_request" && (refusal.description ?? "").hasPrefix("Value passed for the ")
      && (refusal.description ?? "").contains("was invalid")
  }

  private static func refusal(_ answer: ProviderAnswer) -> ProviderRefusal? {
    ProviderRefusal(Answer(answer, readsChallenges: false), expecting: "JSON")
  }
}
