internal import CivilTime
internal import HomelineOAuth
internal import HTTP
internal import JSON

/// Weibo's parameters: what is no number where one is due is a mistake.
extension RequestForm {
  func text(_ name: String) throws(WeiboRefusal) -> String? {
    do throws(RequestFormError) { return try value(name) } catch { throw .badParameter }
  }

  func number(_ name: String) throws(WeiboRefusal) -> UInt64? {
    guard let text = try text(name) else { return nil }
    guard let number = UInt64(text), number <= UInt64(Int64.max) else { throw .badParameter }
    return number
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
