internal import CLinux
package import Dispatch
internal import Glibc

/// One timer on one queue, on the clock that counts suspend (`timerfd_create(2)`, `CLOCK_BOOTTIME`).
///
/// Dispatch's own deadline timers stand still while the machine sleeps. Unset, an alarm costs nothing: no wake-up is due.
package final class Alarm: Sendable {
  private let descriptor: Int32
  private let source: DispatchSource

  /// - Parameter body: runs on `queue` when the moment set last has come.
  /// - Throws: `SystemError` when the kernel has no descriptor left.
  package init(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let descriptor = try check("timerfd_create") { clinux_boottime_timer() }
    self.descriptor = descriptor
    source = DispatchSource.reading(descriptor, on: queue, closing: { _ = close(descriptor) }) {
      var expirations: UInt64 = 0
      // EAGAIN: the alarm was set anew after it had rung, so this ringing no longer counts.
      guard unsafe read(descriptor, &expirations, 8) == 8 else { return }
      body()
    }
    source.activate()
  }

  deinit { source.cancel() }

  /// Rings once at that moment (at once when it has passed), instead of any moment set before; `nil`: not at all.
  package func set(_ instant: BootInstant?) {
    // 0 would disarm the timer, so a moment that lies at or before the boot becomes the first nanosecond.
    _ = clinux_set_timer(descriptor, instant.map { max(1, $0.nanoseconds) } ?? 0)
  }
}
