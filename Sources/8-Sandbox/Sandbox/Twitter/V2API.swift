internal import HTTP
internal import JSON
internal import Time

/// The part of X's v2 API that a home timeline and posting need, with the same posts as the v1.1 API.
struct V2API: Sendable {
  private let timeline: SandboxTimeline
  private let user: Author
  private var limiter: RateLimiter
  private var userLimiter: RateLimiter
  /// The posts that the user has published.
  var publications = V2Publications()

  init(timeline: SandboxTimeline, user: Author, limit: Int, window: Duration) {
    self.timeline = timeline
    self.user = user
    limiter = RateLimiter(limit: limit, length: window)
    // The limit of the real API.
    userLimiter = RateLimiter(limit: 75, length: window)
  }

  /// Responds to an authenticated request. Every response contains the rate limit in its headers.
  /// - Parameters:
  ///   - token: the access token; each has its own limits.
  ///   - now: the time according to the provider's clock.
  ///   - time: the actual time, which determines which posts exist.
  mutating func response(
    to request: Request, _ route: TwitterRoute, from token: String, at now: Timestamp, time: Timestamp,
    quirks: inout V2Quirks
  ) throws(V2Error) -> Response {
    let status = route == .usersMe ? userLimiter.count(token, at: now) : limiter.count(token, at: now)
    var response: Response
    do throws(V2Error) {
      if status.isExceeded { throw .rateLimited }
      if let credit = quirks.credit, credit <= 0 { throw .creditsDepleted(quirks.creditError) }
      switch route {
      case .usersMe: response = try me(request)
      case .tweets:
        response = try publications.publish(request, at: time) { timeline.post($0, at: time) }
      case .tweet: response = try publications.delete(request)
      case .retweets, .bookmarks:
        response = try publications.perform(request, route, by: user, at: time) { timeline.post($0, at: time) }
      case .uploadStart, .uploadPart, .uploadEnd, .uploadState, .describeMedia:
        response = try publications.uploads.response(to: request, route, at: time)
      case .ownTweets: response = try ownPosts(request, quirks: &quirks)
      default: response = try page(request, at: time, quirks: &quirks)
      }
    } catch {
      response = error.response
    }
    response.headers.set("x-rate-limit-limit", FieldValue(status.limit))
    response.headers.set("x-rate-limit-remaining", FieldValue(status.remaining))
    response.headers.set("x-rate-limit-reset", FieldValue(Int(status.reset.seconds)))
    return response
  }

  private func me(_ request: Request) throws(V2Error) -> Response {
    let fields = try V2Query(request, isTimeline: false).fields
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("data")
      V2Writer.write(user, fields, to: &writer)
    }
    return Response(json: writer.bytes)
  }

  private mutating func page(
    _ request: Request, at time: Timestamp, quirks: inout V2Quirks
  ) throws(V2Error) -> Response {
    let query = try V2Query(request)
    try user.check(request)
    var until = query.until
    if let token = query.token {
      guard let limit = V2Token.limit(token) else { throw .badParameter("pagination_token", token, "Invalid token") }
      until = min(limit, until ?? .max)
    }
    var (versions, hasMore) = timeline.versions(
      since: query.since, until: until, count: query.count, at: time, edits: quirks.edits)
    let own = publications.versions(since: query.since, until: until)
    if !own.isEmpty {
      versions = (versions + own).sorted { $0.id > $1.id }
      hasMore = hasMore || versions.count > query.count
      versions = Array(versions.prefix(query.count))
    }
    var next: String?
    if let last = versions.last, hasMore || quirks.tokenLeadsNowhere { next = V2Token.text(last.id) }
    if quirks.tokenLoops { next = query.token ?? next }
    let writer = V2Writer(timeline: timeline, fields: query.fields, quirks: quirks)
    let page = writer.page(versions, nextToken: next)
    if let credit = quirks.credit { quirks.credit = credit - page.posts }
    return Response(json: page.json)
  }

  /// Returns the user's own posts, newest first.
  private func ownPosts(_ request: Request, quirks: inout V2Quirks) throws(V2Error) -> Response {
    let query = try V2Query(request, isOwnPosts: true)
    try user.check(request)
    let posts = publications.versions(since: query.since, until: query.until, withReposts: !query.excludesReposts)
    let page = V2Writer(timeline: timeline, fields: query.fields, quirks: quirks)
      .page(Array(posts.prefix(query.count)), nextToken: nil)
    if let credit = quirks.credit { quirks.credit = credit - page.posts }
    return Response(json: page.json)
  }
}

/// A `pagination_token`. It is opaque to clients. The next page starts below the id that it contains.
enum V2Token {
  private static let mark = "7140"

  static func text(_ id: UInt64) -> String { mark + String(id, radix: 36) }

  static func limit(_ token: String) -> UInt64? {
    guard token.hasPrefix(mark) else { return nil }
    return UInt64(token.dropFirst(mark.count), radix: 36)
  }
}
