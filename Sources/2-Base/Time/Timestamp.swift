/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z (without leap seconds, like POSIX time), in the years 1 to 9999, which
/// RFC 3339 can express.
///
/// No arithmetic on timestamps overflows: a result before or after these years becomes `earliest` or `latest`. Use the failable
/// initialisers for times that another program wrote.
package struct Timestamp: Sendable, Hashable, Comparable {
  package let milliseconds: Int64

  /// 0001-01-01T00:00:00Z.
  package static let earliest = Timestamp(milliseconds: lowest)
  /// 9999-12-31T23:59:59.999Z.
  package static let latest = Timestamp(milliseconds: highest)

  private static var lowest: Int64 { -62_135_596_800_000 }
  private static var highest: Int64 { 253_402_300_799_999 }

  /// Creates the nearest time in the years 1 to 9999.
  package init(milliseconds: Int64) { self.milliseconds = min(max(milliseconds, Self.lowest), Self.highest) }

  /// Creates the nearest time in the years 1 to 9999.
  package init(seconds: Int64) {
    self.init(milliseconds: min(max(seconds, Self.lowest / 1000), Self.highest / 1000 + 1) * 1000)
  }

  /// Creates a time; `nil` outside the years 1 to 9999.
  package init?(exactlyMilliseconds milliseconds: Int64) {
    guard (Self.lowest...Self.highest).contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates a time; `nil` outside the years 1 to 9999.
  package init?(exactlySeconds seconds: Int64) {
    guard (Self.lowest / 1000...Self.highest / 1000).contains(seconds) else { return nil }
    milliseconds = seconds * 1000
  }

  /// Creates a time from a server's number of seconds since 1970. Numbers from 10¹² on count as milliseconds: in seconds, they would be
  /// times after the year 30000.
  /// - Returns: `nil` for 0, for negative numbers, and for times after 9999 in both units.
  package init?(sinceEpoch number: Int64) {
    guard number > 0 else { return nil }
    if number >= 1_000_000_000_000 { self.init(exactlyMilliseconds: number) } else { self.init(exactlySeconds: number) }
  }

  /// The time in whole seconds, rounded down.
  package var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  package static func + (left: Timestamp, right: Duration) -> Timestamp {
    Timestamp(milliseconds: left.milliseconds + wholeMilliseconds(right))
  }

  package static func - (left: Timestamp, right: Duration) -> Timestamp {
    Timestamp(milliseconds: left.milliseconds - wholeMilliseconds(right))
  }

  package static func - (left: Timestamp, right: Timestamp) -> Duration {
    .milliseconds(left.milliseconds - right.milliseconds)
  }

  /// Returns a duration, rounded towards zero. Durations are limited to 9999 years, which leads from any time to `earliest` or `latest`.
  private static func wholeMilliseconds(_ duration: Duration) -> Int64 {
    if duration >= .milliseconds(highest - lowest) { return highest - lowest }
    if duration <= .milliseconds(lowest - highest) { return lowest - highest }
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

extension Int64 {
  /// Returns the quotient rounded down, so that times before 1970 belong to the right day.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
