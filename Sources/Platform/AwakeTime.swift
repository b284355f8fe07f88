internal import Glibc

/// How long this machine has been awake since it was started: `CLOCK_MONOTONIC`, which stands still in suspend where
/// `CLOCK_BOOTTIME` goes on (`clock_gettime(2)`).
package enum AwakeTime {
  package static var now: Duration {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return .seconds(Int64(now.tv_sec)) + .nanoseconds(Int64(now.tv_nsec))
  }
}
