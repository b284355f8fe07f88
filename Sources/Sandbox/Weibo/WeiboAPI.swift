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

/// What the Weibo of the sandbox answers.
package enum WeiboRoute: String, Sendable, CaseIterable {
  case authorize = "/oauth2/authorize"
  case token = "/oauth2/access_token"
  case tokenInfo = "/oauth2/get_token_info"
  case revocation = "/oauth2/revokeoauth2"
  /// The page for who has no server to return to: the code is read from its address.
  case defaultPage = "/oauth2/default.html"
  case usersShow = "/2/users/show.json"
  case homeTimeline = "/2/statuses/home_timeline.json"
  case rateLimitStatus = "/2/account/rate_limit_status.json"

  package var path: String { rawValue }
}

/// What the user has asked for today, by Chinese time. It is for the caller to keep from run to run.
package struct WeiboLedger: Sendable, Equatable {
  /// China has one time, eight hours ahead of UTC, and no summer time.
  static let zone = Duration.seconds(8 * 3600)
  private static let dayLength: Int64 = 86_400

  /// Days since 1970 in China.
  private var day: Int64 = 0
  private(set) package var used = 0

  package init() {}

  /// Counts a request.
  mutating func count(at now: Timestamp) {
    begin(now)
    used += 1
  }

  /// A new day begins at nothing.
  mutating func begin(_ now: Timestamp) {
    let today = (now + Self.zone).seconds / Self.dayLength
    if day != today { (day, used) = (today, 0) }
  }

  /// The end of the day.
  func reset(at now: Timestamp) -> Timestamp {
    let today = (now + Self.zone).seconds / Self.dayLength
    return Timestamp(seconds: (today + 1) * Self.dayLength) - Self.zone
  }
}
