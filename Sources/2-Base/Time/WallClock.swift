internal import Glibc

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
