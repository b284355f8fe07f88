internal import CivilTime
internal import HomelineOAuth
internal import HTTP
internal import JSON

/// The part of the v1.1 API that a home timeline needs.
struct API: Sendable {
  /// The real API's own numbers.
  private static let defaultCount = 20
  private static let maximalCount = 200

  private let timeline: SandboxTimeline
  private let writer = PostWriter()
  private let isGNUSocial: Bool
  private let user: Author
  private var windows: RateWindows

  /// - Parameter isGNUSocial: its timelines have no end, and it takes no notice of a `max_id` of 0.
  init(timeline: SandboxTimeline, user: Author, isGNUSocial: Bool = false, windows: RateWindows) {
    self.timeline = timeline
    self.isGNUSocial = isGNUSocial
    self.user = user
    self.windows = windows
  }

  /// Answers a signed request, with the limits in its headers whatever comes of it.
  /// - Parameters:
  ///   - now: by the provider's clock.
  ///   - time: the true time, which the posts follow.
  mutating func answer(
    _ request: Request, to route: SandboxRoute, gate: inout Gate, at now: Timestamp, time: Timestamp, late: LatePosts?
  ) throws(Refusal) -> Response {
    let entrance = try gate.admit(request, as: .user, at: now)
    let standing = windows.count("\(route.path) \(entrance.token)", at: now)
    var response: Response
    do throws(Refusal) {
      if standing.isExceeded { throw .rateLimited }
      switch route {
      case .homeTimeline: response = try homeTimeline(request, entrance.claim, at: time, late: late)
      case .invalidateToken: response = Self.invalidate(entrance.token, gate: &gate)
      default: response = verifyCredentials()
      }
    } catch {
      response = error.response
    }
    response.headers.set("x-rate-limit-limit", FieldValue(standing.limit))
    response.headers.set("x-rate-limit-remaining", FieldValue(standing.remaining))
    response.headers.set("x-rate-limit-reset", FieldValue(Int(standing.reset.seconds)))
    return response
  }

  private func verifyCredentials() -> Response {
    Response(json: UserWriter.json(user, isSelf: true))
  }

  private static func invalidate(_ token: String, gate: inout Gate) -> Response {
    gate.revoke(token)
    var writer = JSONWriter()
    writer.object { $0.member("access_token", token) }
    return Response(json: writer.bytes)
  }

  private func homeTimeline(
    _ request: Request, _ claim: ReceivedSignature, at time: Timestamp, late: LatePosts?
  ) throws(Refusal) -> Response {
    var query = try Self.query(claim)
    if isGNUSocial {
      query.reach = .max
      if query.maxID == 0 { query.maxID = nil }
    }
    let posts = timeline.page(query, at: time, late: late)
    let isExtended = claim["tweet_mode"] == "extended"
    // A post never changes, so its id stands for it; what was asked for beside does the rest.
    let tag = ContentTag(posts.map(\.id), isExtended: isExtended).text
    var response: Response
    if request.headers.lists(tag, in: "If-None-Match") {
      response = Response(status: .notModified)
    } else {
      response = Response(
        json: isGNUSocial ? GNUSocialWriter.json(posts) : writer.json(posts, isExtended: isExtended))
    }
    if let tag = FieldValue(tag) { response.headers.set("ETag", tag) }
    response.headers.set("Cache-Control", "no-cache")
    return response
  }

  private static func query(_ claim: ReceivedSignature) throws(Refusal) -> SandboxTimeline.Query {
    var query = SandboxTimeline.Query()
    let count = claim["count"].flatMap { Int($0) } ?? defaultCount
    query.count = count < 1 ? defaultCount : min(count, maximalCount)
    query.sinceID = try id("since_id", in: claim)
    query.maxID = try id("max_id", in: claim)
    query.excludesReplies = ["true", "t", "1"].contains(claim["exclude_replies"])
    return query
  }

  private static func id(_ name: String, in claim: ReceivedSignature) throws(Refusal) -> UInt64? {
    guard let text = claim[name] else { return nil }
    guard let id = UInt64(text) else { throw .badParameter(name) }
    return id
  }
}

/// An entity tag (RFC 9110 §8.8.3) for a page of posts.
struct ContentTag {
  let text: String

  init(_ ids: [UInt64], isExtended: Bool) {
    var dice = Dice(isExtended ? 2 : 1, UInt64(ids.count))
    for id in ids { dice.stir(id) }
    text = "\"\(String(dice.next(), radix: 36))\""
  }
}

/// Counts requests in windows that begin with the first request of each (`x-rate-limit-…`).
struct RateWindows: Sendable {
  struct Standing {
    let limit: Int
    let remaining: Int
    /// When the window ends.
    let reset: Timestamp
    let isExceeded: Bool
  }

  private struct Window {
    let reset: Timestamp
    var used: Int
  }

  /// Windows of ended tokens are dropped beyond this.
  private static let capacity = 10_000

  let limit: Int
  let length: Duration
  private var windows: [String: Window] = [:]

  init(limit: Int, length: Duration) {
    self.limit = limit
    self.length = length
  }

  /// Counts a request of `who`.
  mutating func count(_ who: String, at now: Timestamp) -> Standing {
    if windows.count > Self.capacity { windows = windows.filter { $0.value.reset > now } }
    var window = windows[who] ?? Window(reset: now + length, used: 0)
    // Also a window that ends too late: then the clock was set back.
    if window.reset <= now || window.reset > now + length { window = Window(reset: now + length, used: 0) }
    window.used += 1
    windows[who] = window
    return Standing(
      limit: limit, remaining: max(0, limit - window.used), reset: window.reset, isExceeded: window.used > limit)
  }
}
