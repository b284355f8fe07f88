internal import CLinux
internal import Dispatch
internal import Glibc
internal import Platform

/// Says on one queue which of a server's sockets can be read or written (epoll(7)).
///
/// Dispatch watches this one descriptor instead of each connection's own. A source for each costs two system calls, some
/// allocations and a wake-up of a thread for every event; here one wake-up brings whatever has come by then.
// Sendable because everything that changes in it is touched on its queue only.
final class ReadySockets: @unchecked Sendable {
  /// What a socket is watched for.
  struct Interest: Equatable {
    var input = false
    var output = false
    static let none = Interest()
  }

  /// How often the kernel is asked again before whatever else waits on the queue gets its turn.
  private static let rounds = 8
  private static let most = 64

  private let descriptor: Int32
  /// Set once, at the end of the initializer.
  private var source: DispatchSource?
  private let ready: @Sendable (_ name: Int, Interest) -> Void
  private var responses = [clinux_ready](repeating: clinux_ready(), count: most)

  /// - Parameter ready: told on the queue of each socket that is; of several at once one may have been closed by what was done
  ///   for another.
  /// - Throws: `SystemError` when the kernel has no descriptor left.
  init(on queue: DispatchQueue, _ ready: @escaping @Sendable (_ name: Int, Interest) -> Void) throws(SystemError) {
    let descriptor = try check("epoll_create1") { clinux_poll() }
    self.descriptor = descriptor
    self.ready = ready
    let source = DispatchSource.reading(descriptor, on: queue, closing: { _ = close(descriptor) }) { [weak self] in
      self?.look()
    }
    self.source = source
    source.activate()
  }

  deinit { source?.cancel() }

  /// Changes what a socket is watched for.
  /// - Returns: what holds now: the wish, or what held before where the kernel has no room for it.
  func watch(_ number: Int32, as name: Int, _ wish: Interest, now held: Interest) -> Interest {
    guard wish != held else { return held }
    let code = clinux_poll_set(
      descriptor, number, UInt64(bitPattern: Int64(name)), wish.input ? 1 : 0, wish.output ? 1 : 0,
      held == .none ? 0 : 1)
    return code == 0 ? wish : held
  }

  private func look() {
    for _ in 0..<Self.rounds {
      let count = Int(unsafe clinux_poll_ready(descriptor, &responses, Int32(Self.most)))
      for response in responses.prefix(count) {
        ready(Int(Int64(bitPattern: response.name)), Interest(input: response.input != 0, output: response.output != 0))
      }
      if count == 0 { return }
    }
  }
}
