internal import CLinux
internal import Dispatch
internal import Glibc
internal import Platform

/// Reports on a queue which of a server's sockets are readable or writable (epoll(7)).
///
/// Dispatch watches only the epoll descriptor. A dispatch source for each connection would cost two system calls, several
/// allocations and a thread wake-up per event; with epoll, a single wake-up reports all ready sockets.
// Sendable because its mutable state is used only on its queue.
final class ReadySockets: @unchecked Sendable {
  /// The events that a socket is watched for.
  struct Interest: Equatable {
    var input = false
    var output = false
    static let none = Interest()
  }

  /// How often the kernel is queried before other work on the queue can run.
  private static let rounds = 8
  private static let batchSize = 64

  private let descriptor: Int32
  /// The initialiser sets this once, at its end.
  private var source: DispatchSource?
  private let ready: @Sendable (_ name: Int, Interest) -> Void
  private var events = [clinux_ready](repeating: clinux_ready(), count: batchSize)

  /// - Parameter ready: called on the queue for each ready socket. If several sockets are reported at once, one may have been closed
  ///   while another was handled.
  /// - Throws: `SystemError` if the process has no file descriptors left.
  init(on queue: DispatchQueue, _ ready: @escaping @Sendable (_ name: Int, Interest) -> Void) throws(SystemError) {
    let descriptor = try check("epoll_create1") { clinux_poll() }
    self.descriptor = descriptor
    self.ready = ready
    let source = DispatchSource.reading(descriptor, on: queue, closing: { _ = close(descriptor) }) { [weak self] in
      self?.poll()
    }
    self.source = source
    source.activate()
  }

  deinit { source?.cancel() }

  /// Changes the events that a socket is watched for.
  /// - Returns: the events now in effect: `wanted`, or `current` if the kernel could not register the change.
  func watch(_ number: Int32, as name: Int, _ wanted: Interest, current: Interest) -> Interest {
    guard wanted != current else { return current }
    let code = clinux_poll_set(
      descriptor, number, UInt64(bitPattern: Int64(name)), wanted.input ? 1 : 0, wanted.output ? 1 : 0,
      current == .none ? 0 : 1)
    return code == 0 ? wanted : current
  }

  private func poll() {
    for _ in 0..<Self.rounds {
      let count = Int(unsafe clinux_poll_ready(descriptor, &events, Int32(Self.batchSize)))
      for event in events.prefix(count) {
        ready(Int(Int64(bitPattern: event.name)), Interest(input: event.input != 0, output: event.output != 0))
      }
      if count == 0 { return }
    }
  }
}
