internal import Glibc

/// A point in time in whole milliseconds since 1970-01-01T00:00:00Z (without leap seconds, like POSIX time).
package struct Timestamp: Sendable, Hashable, Comparable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package init(seconds: Int64) { self.init(milliseconds: seconds * 1000) }

  /// The time in whole seconds, rounded down.
  package var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  package static func + (left: Timestamp, right: Duration) -> Timestamp {
    let (seconds, attoseconds) = right.components
    return Timestamp(milliseconds: left.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  package static func - (left: Timestamp, right: Duration) -> Timestamp { left + (.zero - right) }

  package static func - (left: Timestamp, right: Timestamp) -> Duration {
    .milliseconds(left.milliseconds - right.milliseconds)
  }
}

extension Int64 {
  /// Returns the quotient rounded down, so that times before 1970 belong to the right day.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// A source of the current time, which tests can replace.
package struct WallClock: Sendable {
  private let read: @Sendable () -> Timestamp

  package init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  package var now: Timestamp { read() }

  /// The clock `CLOCK_REALTIME` (`clock_gettime(2)`).
  package static let system = WallClock {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
  }
}
