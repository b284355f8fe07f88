internal import CivilTime
internal import HTTP
internal import JSON

/// The part of Weibo's API v2 that a home timeline needs, for a user who was let in.
struct WeiboAPI: Sendable {
  private static let requestsPerHourOfAddress = 15_000

  private let timeline: WeiboTimeline
  private let user: Author
  private(set) var ledger: WeiboLedger

  init(timeline: SandboxTimeline, user: Author, ledger: WeiboLedger) {
    self.timeline = WeiboTimeline(timeline)
    self.user = user
    self.ledger = ledger
  }

  /// - Parameters:
  ///   - now: by the provider's clock.
  ///   - time: the true time, which the posts follow.
  mutating func answer(
    _ request: Request, to route: WeiboRoute, at now: Timestamp, time: Timestamp, _ quirks: WeiboQuirks
  ) throws(WeiboRefusal) -> Response {
    guard request.method == .get else { throw .wrongMethod }
    // To ask how things stand is free.
    if route == .rateLimitStatus { return Response(json: standing(at: now, quirks)) }
    ledger.count(at: now)
    guard ledger.used <= quirks.requestsPerDay else { throw .outOfRate }
    let form: RequestForm
    do throws(RequestFormError) { form = try RequestForm(query: request) } catch { throw .badParameter }
    if route == .usersShow { return Response(json: try shown(form)) }
    if quirks.closesHomeTimeline { throw .noPermission }
    return Response(json: timeline.json(try WeiboTimeline.Query(form), at: time, quirks))
  }

  /// By exactly one of id and name.
  private func shown(_ form: RequestForm) throws(WeiboRefusal) -> [UInt8] {
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

  private mutating func standing(at now: Timestamp, _ quirks: WeiboQuirks) -> [UInt8] {
    ledger.begin(now)
    let reset = ledger.reset(at: now)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("ip_limit", Self.requestsPerHourOfAddress)
      writer.member("limit_time_unit", "HOURS")
      writer.member("remaining_ip_hits", Self.requestsPerHourOfAddress - ledger.used)
      writer.member("remaining_user_hits", max(0, quirks.requestsPerDay - ledger.used))
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
