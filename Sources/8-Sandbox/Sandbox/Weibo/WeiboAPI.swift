internal import HTTP
internal import JSON
internal import Time

/// The part of Weibo's v2 API that a home timeline and posting need, for authenticated requests.
struct WeiboAPI: Sendable {
  private static let requestsPerHourOfAddress = 15_000

  private let timeline: WeiboTimeline
  private let user: Author
  private(set) var usage = WeiboUsage()
  /// The posts that the user has published.
  private(set) var publications = WeiboPublications()

  init(timeline: SandboxTimeline, user: Author) {
    self.timeline = WeiboTimeline(timeline)
    self.user = user
  }

  /// Responds to an authenticated request.
  /// - Parameters:
  ///   - request: the request, with its multipart form replaced by a plain form.
  ///   - picture: the file of the multipart form.
  ///   - now: the time according to the provider's clock.
  ///   - time: the actual time, which determines which posts exist.
  mutating func response(
    to request: Request, with picture: MultipartBody.Part?, _ route: WeiboRoute, at now: Timestamp, time: Timestamp,
    _ quirks: WeiboQuirks
  ) throws(WeiboError) -> Response {
    guard request.method == (route == .share ? .post : .get) else { throw .wrongMethod }
    // Requests for the rate limit status are not counted.
    if route == .rateLimitStatus { return Response(json: rateLimit(at: now, quirks)) }
    usage.count(at: now)
    guard usage.used <= quirks.requestsPerDay else { throw .outOfRate }
    if route == .share { return try publications.publish(request, with: picture, by: user, at: time, quirks) }
    let form: RequestForm
    do throws(RequestFormError) { form = try RequestForm(query: request) } catch { throw .badParameter }
    if route == .usersShow { return Response(json: try user(form)) }
    if quirks.closesHomeTimeline { throw .noPermission }
    return Response(json: timeline.json(try WeiboTimeline.Query(form), and: publications.posts, at: time, quirks))
  }

  /// Returns a user, looked up by either id or name.
  private func user(_ form: RequestForm) throws(WeiboError) -> [UInt8] {
    let everyone = [user] + Author.writers
    let found: Author?
    switch (try form.number("uid"), try form.text("screen_name")) {
    case (let id?, nil): found = everyone.first { UInt64($0.id) == id }
    case (nil, let name?): found = everyone.first { $0.screenName == name }
    default: throw .badParameter
    }
    guard let found else { throw .unknownUser }
    var writer = JSONWriter()
    WeiboUserWriter.write(found, to: &writer)
    return writer.bytes
  }

  private mutating func rateLimit(at now: Timestamp, _ quirks: WeiboQuirks) -> [UInt8] {
    usage.begin(now)
    let reset = usage.reset(at: now)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("ip_limit", Self.requestsPerHourOfAddress)
      writer.member("limit_time_unit", "HOURS")
      writer.member("remaining_ip_hits", Self.requestsPerHourOfAddress - usage.used)
      writer.member("remaining_user_hits", max(0, quirks.requestsPerDay - usage.used))
      writer.member("reset_time", reset.weiboLocalTime)
      writer.member("reset_time_in_seconds", reset.seconds - now.seconds)
      writer.member("user_limit", quirks.requestsPerDay)
      writer.name("api_rate_limits")
      writer.array { writer in
        writer.object { writer in
          writer.member("api", "/statuses/share")
          writer.member("limit", 30)
          writer.member("limit_time_unit", "HOURS")
          writer.member("remaining_hits", 30)
        }
      }
    }
    return writer.bytes
  }
}
