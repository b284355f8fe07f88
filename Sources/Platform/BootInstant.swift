internal import CLinux
internal import Glibc

/// A time on `CLOCK_BOOTTIME`, which includes suspended time and is never set back (`clock_gettime(2)`).
package struct BootInstant: Sendable, Hashable, Comparable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

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
  /// The duration in whole nanoseconds.
  package var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

/// The time since boot, excluding any time that the machine was suspended: `CLOCK_MONOTONIC` stops while it is (`clock_gettime(2)`).
package enum AwakeTime {
  package static var now: Duration {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return .seconds(Int64(now.tv_sec)) + .nanoseconds(Int64(now.tv_nsec))
  }
}
