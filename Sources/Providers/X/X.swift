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
    pageSize: 100, reach: 3200, overlap: .zero, refreshInterval: .seconds(900), firstFill: 50, requestsPerMinute: 30)

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
    try answer.object(expected: "a user", judge: judge) { cursor in try XUserAnswer(&cursor).user.map { .user($0) } }
  }

  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    .get(timeline(of: query.userID), query: XPageQuery(query, pageSize: traits.pageSize).parameters)
  }

  package func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer {
    let writer = XPostWriter(permalink: isAtX ? { "https://x.com/\($0)/status/\($1)" } : { _, _ in nil })
    let bounds = XPageQuery(query, pageSize: traits.pageSize)
    let fetched = try answer.object(expected: "a timeline", judge: judge) { cursor in
      guard let document = try XTimelineAnswer(&cursor) else { return PageAnswer.Fetched?.none }
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
