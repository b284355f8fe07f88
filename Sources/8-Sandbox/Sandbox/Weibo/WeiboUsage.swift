internal import Time

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
