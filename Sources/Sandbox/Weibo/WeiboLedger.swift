internal import CivilTime

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
