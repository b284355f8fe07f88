internal import CivilTime
internal import HomelineOAuth
internal import HTTP
internal import JSON

/// The part of the API v2 that a home timeline needs, over the same posts as the API v1.1.
struct V2API: Sendable {
  private let timeline: SandboxTimeline
  private let user: Author
  private var windows: RateWindows
  private var userWindows: RateWindows
  private(set) var ledger = SandboxLedger()

  init(timeline: SandboxTimeline, user: Author, limit: Int, window: Duration) {
    self.timeline = timeline
    self.user = user
    windows = RateWindows(limit: limit, length: window)
    // The real API's own number.
    userWindows = RateWindows(limit: 75, length: window)
  }

  /// Answers a request that was let in, with the limits in its headers whatever comes of it.
  /// - Parameters:
  ///   - token: what it was let in by; the limits are counted by it.
  ///   - now: by the provider's clock.
  ///   - time: the true time, which the posts follow.
  mutating func answer(
    _ request: Request, to route: SandboxRoute, from token: String, at now: Timestamp, time: Timestamp,
    faults: inout V2Faults
  ) throws(V2Refusal) -> Response {
    let standing = route == .usersMe ? userWindows.count(token, at: now) : windows.count(token, at: now)
    var response: Response
    do throws(V2Refusal) {
      if standing.isExceeded { throw .rateLimited }
      if let credit = faults.credit, credit <= 0 { throw .creditsDepleted(faults.creditWords) }
      response = route == .usersMe ? try me(request) : try page(request, at: time, faults: &faults)
    } catch {
      response = error.response
    }
    response.headers.set("x-rate-limit-limit", FieldValue(standing.limit))
    response.headers.set("x-rate-limit-remaining", FieldValue(standing.remaining))
    response.headers.set("x-rate-limit-reset", FieldValue(Int(standing.reset.seconds)))
    return response
  }

  private mutating func me(_ request: Request) throws(V2Refusal) -> Response {
    let fields = try V2Query(request, isTimeline: false).fields
    ledger.users += 1
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("data")
      V2Writer.write(user, fields, to: &writer)
    }
    return Response(json: writer.bytes)
  }

  private mutating func page(
    _ request: Request, at time: Timestamp, faults: inout V2Faults
  ) throws(V2Refusal) -> Response {
    let query = try V2Query(request)
    let segments = request.target.path.split(separator: "/")
    if segments.count > 2, segments[2] != String(user.id) {
      let id = String(segments[2])
      throw .badParameter(
        "id", id, "The `id` query parameter value [\(id)] must be the same as the authenticating user [\(user.id)]")
    }
    var until = query.until
    if let token = query.token {
      guard let limit = V2Token.limit(token) else { throw .badParameter("pagination_token", token, "Invalid token") }
      until = min(limit, until ?? .max)
    }
    let (versions, hasMore) = timeline.versions(
      since: query.since, until: until, count: query.count, at: time, edits: faults.edits)
    var next: String?
    if let last = versions.last, hasMore || faults.tokenLeadsNowhere { next = V2Token.text(last.id) }
    if faults.tokenLoops { next = query.token ?? next }
    let writer = V2Writer(timeline: timeline, fields: query.fields, faults: faults)
    let page = writer.page(versions, nextToken: next)
    ledger.pages += 1
    ledger.posts += page.posts
    ledger.users += page.users
    if let credit = faults.credit { faults.credit = credit - page.posts }
    return Response(json: page.json)
  }
}

/// A `pagination_token`: opaque to clients, and the id below which the page goes on.
enum V2Token {
  private static let mark = "7140"

  static func text(_ id: UInt64) -> String { mark + String(id, radix: 36) }

  static func limit(_ token: String) -> UInt64? {
    guard token.hasPrefix(mark) else { return nil }
    return UInt64(token.dropFirst(mark.count), radix: 36)
  }
}

/// What the API v2 has delivered, as a bill would count it.
package struct SandboxLedger: Sendable, Equatable {
  /// Timelines that were answered with data or without.
  package var pages = 0
  /// Posts of pages, and posts that came along.
  package var posts = 0
  /// Users that came along, and oneself.
  package var users = 0

  package init(pages: Int = 0, posts: Int = 0, users: Int = 0) {
    self.pages = pages
    self.posts = posts
    self.users = users
  }
}
