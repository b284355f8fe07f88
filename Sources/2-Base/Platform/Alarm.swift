internal import CLinux
package import Dispatch
internal import Glibc

/// A timer that calls back on a queue and keeps running while the machine is suspended (`timerfd_create(2)`, `CLOCK_BOOTTIME`).
///
/// Dispatch's own deadline timers stop while the machine is suspended. An alarm that is not set causes no wake-ups.
package final class Alarm: Sendable {
  private let descriptor: Int32
  private let source: DispatchSource

  /// - Parameter body: runs on `queue` when the most recently set time is reached.
  /// - Throws: `SystemError` if the kernel has no descriptors left.
  package init(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let descriptor = try check("timerfd_create") { clinux_boottime_timer() }
    self.descriptor = descriptor
    source = DispatchSource.reading(descriptor, on: queue, closing: { _ = close(descriptor) }) {
      var expirations: UInt64 = 0
      // EAGAIN: the alarm was set again after it fired, which makes this event invalid.
      guard unsafe read(descriptor, &expirations, 8) == 8 else { return }
      body()
    }
    source.activate()
  }

  deinit { source.cancel() }

  /// Sets the alarm, replacing any earlier time. A time in the past fires it immediately, and `nil` cancels it.
  package func set(_ instant: BootInstant?) {
    // 0 would disarm the timer, so a time at or before boot becomes the first nanosecond.
    _ = clinux_set_timer(descriptor, instant.map { max(1, $0.nanoseconds) } ?? 0)
  }
}

/// Sources whose handlers must be `@Sendable`.
///
/// Dispatch's own `setEventHandler` accepts any closure. A closure written in isolated code inherits its isolation and traps on the queue.
extension DispatchSource {
  /// Returns a suspended source that runs `body` on `queue` whenever the descriptor is readable.
  /// - Parameter closing: runs once the source has released the descriptor. Only this closure may close the descriptor.
  package static func reading(
    _ descriptor: Int32, on queue: DispatchQueue, closing: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> DispatchSource {
    let source = makeReadSource(fileDescriptor: descriptor, queue: queue) as! DispatchSource
    source.setEventHandler(handler: body)
    if let closing { source.setCancelHandler(handler: closing) }
    return source
  }

  /// Returns a suspended source that runs `body` on `queue` when the process receives the signal, instead of its default action.
  /// - Parameter registered: called on `queue` once the source is active, which is some time after `activate()` returns.
  package static func signal(
    _ number: Int32, on queue: DispatchQueue, registered: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> DispatchSource {
    let source = makeSignalSource(signal: number, queue: queue) as! DispatchSource
    source.setEventHandler(handler: body)
    if let registered { source.setRegistrationHandler(handler: registered) }
    return source
  }
}
