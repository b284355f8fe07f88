internal import Dispatch
internal import Platform

/// A listening socket that takes connections off its queue.
// Sendable because everything that changes in it is touched on `queue` only.
final class Acceptor: @unchecked Sendable {
  /// Whom it tells, on its queue.
  struct Reports: Sendable {
    let accepted: @Sendable (consuming Descriptor) -> Void
    /// There is no descriptor left for the connection that waits. Whoever gets this switches accepting off for a
    /// while, since the socket stays readable.
    let exhausted: @Sendable () -> Void
    /// The descriptor is closed; the last report.
    let closed: @Sendable () -> Void
  }

  /// How many connections are accepted in a row before requests get their turn; the rest follows behind them.
  private static let burst = 64

  private let number: Int32
  private let reports: Reports
  private var source: SwitchedSource?

  /// Takes over a listening socket that does not block, and accepts from it at once.
  /// - Parameter isShared: whether somebody else goes on listening at the same socket.
  init(owning number: Int32, isShared: Bool, on queue: DispatchQueue, _ reports: Reports) {
    self.number = number
    self.reports = reports
    let source = DispatchSource.reading(
      number, on: queue,
      closing: {
        StreamSocket.stopListening(at: number, isShared: isShared)
        reports.closed()
      },
      { self.accept() })
    self.source = SwitchedSource(source)
    self.source?.isOn = true
  }

  var isOn: Bool {
    get { source?.isOn ?? false }
    set { source?.isOn = newValue }
  }

  func cancel() {
    source?.cancel()
    source = nil
  }

  private func accept() {
    for _ in 0..<Self.burst {
      guard isOn else { return }
      switch StreamSocket.accept(from: number) {
      case .connection(let accepted): reports.accepted(Descriptor(owning: accepted))
      case .gone: continue
      case .none: return
      case .exhausted: return reports.exhausted()
      }
    }
  }
}
