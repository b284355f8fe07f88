internal import CivilTime
internal import HomelineOAuth
internal import HTTP
internal import JSON

/// Weibo's parameters. A value that is not a number is an error where a number is expected.
extension RequestForm {
  func text(_ name: String) throws(WeiboError) -> String? {
    do throws(RequestFormError) { return try value(name) } catch { throw .badParameter }
  }

  func number(_ name: String) throws(WeiboError) -> UInt64? {
    guard let text = try text(name) else { return nil }
    guard let number = UInt64(text), number <= UInt64(Int64.max) else { throw .badParameter }
    return number
  }
}

/// A request whose multipart form is split into a plain form and one picture.
struct WeiboShareForm {
  /// The request, with its multipart form replaced by a plain form.
  let request: Request
  let picture: MultipartBody.Part?

  /// Splits the multipart form of a request. A request without one remains unchanged.
  init(_ request: Request) throws(WeiboError) {
    guard request.headers.first(.contentType)?.hasPrefix("multipart/") == true else {
      self.request = request
      picture = nil
      return
    }
    guard let parts = MultipartBody(request)?.parts else { throw .badParameter }
    let files = parts.filter(\.isFile)
    guard files.count == 1, files[0].name == "pic" else { throw .pictureMissing }
    var plain = request
    plain.headers.set(.contentType, "application/x-www-form-urlencoded")
    plain.body = Array(
      FormEncoding.encode(parts.filter { !$0.isFile }.map { Parameter($0.name, $0.text) }).utf8)
    self.request = plain
    picture = files[0]
  }
}

/// The paths of the simulated Weibo.
package enum WeiboRoute: String, Sendable, CaseIterable {
  case authorize = "/oauth2/authorize"
  case token = "/oauth2/access_token"
  case tokenInfo = "/oauth2/get_token_info"
  case revocation = "/oauth2/revokeoauth2"
  /// The redirect URI for clients that have none: the user copies the page's address, which contains the code.
  case defaultPage = "/oauth2/default.html"
  case usersShow = "/2/users/show.json"
  case homeTimeline = "/2/statuses/home_timeline.json"
  case share = "/2/statuses/share.json"
  case rateLimitStatus = "/2/account/rate_limit_status.json"

  package var path: String { rawValue }
}

/// The number of requests that the user has sent today, in China's time zone.
struct WeiboUsage: Sendable {
  /// China has one time zone, eight hours ahead of UTC, and no daylight saving time.
  static let zone = Duration.seconds(8 * 3600)
  private static let dayLength: Int64 = 86_400

  /// Days since 1970 in China's time zone.
  private var day: Int64 = 0
  private(set) var used = 0

  /// Counts a request.
  mutating func count(at now: Timestamp) {
    begin(now)
    used += 1
  }

  /// Resets the count if a new day has begun.
  mutating func begin(_ now: Timestamp) {
    let today = (now + Self.zone).seconds / Self.dayLength
    if day != today { (day, used) = (today, 0) }
  }

  /// Returns the time when the day ends.
  func reset(at now: Timestamp) -> Timestamp {
    let today = (now + Self.zone).seconds / Self.dayLength
    return Timestamp(seconds: (today + 1) * Self.dayLength) - Self.zone
  }
}
