internal import CLinux

/// A time on `CLOCK_BOOTTIME`, which includes suspended time and is never set back (`clock_gettime(2)`).
package struct BootInstant: Sendable, Hashable, Comparable {
  package let nanoseconds: Int64

  /// 73 years. No machine runs for longer, and the sum of two such numbers fits into 64 bits.
  private static let most: Int64 = 1 << 61

  /// Creates the nearest time within 73 years of the machine's start. An alarm for a later time fires at that time.
  package init(nanoseconds: Int64) { self.nanoseconds = min(max(nanoseconds, -Self.most), Self.most) }

  package static var now: BootInstant { BootInstant(nanoseconds: clinux_boottime()) }

  package static func + (left: BootInstant, right: Duration) -> BootInstant {
    BootInstant(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  package static func - (left: BootInstant, right: BootInstant) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }

  package static func < (left: BootInstant, right: BootInstant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
  /// The duration in whole nanoseconds, at most 146 years in either direction.
  package var nanoseconds: Int64 {
    let most: Int64 = 1 << 62
    if self >= .nanoseconds(most) { return most }
    if self <= .nanoseconds(-most) { return -most }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
