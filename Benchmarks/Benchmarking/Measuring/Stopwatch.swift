internal import Glibc

/// Measures elapsed time and processor time (`clock_gettime(2)`).
package struct Stopwatch {
  private let wall = Self.nanoseconds(CLOCK_MONOTONIC)
  private let processor = Self.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)

  /// The elapsed time in microseconds.
  package var wallTime: Double { Double(Self.nanoseconds(CLOCK_MONOTONIC) - wall) / 1e3 }

  /// The processor time of all threads of this process in microseconds.
  package var processorTime: Double { Double(Self.nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor) / 1e3 }

  package init() {}

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
