internal import CLinux
internal import Glibc

/// The time since boot, excluding any time that the machine was suspended: `CLOCK_MONOTONIC` stops while the machine is suspended
/// (`clock_gettime(2)`).
package enum AwakeTime {
  package static var now: Duration {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return .seconds(Int64(now.tv_sec)) + .nanoseconds(Int64(now.tv_nsec))
  }
}
