internal import Platform

/// A listening socket that takes connections off its queue.
// Sendable because everything that changes in it is touched on the server's queue only.
final class Acceptor: @unchecked Sendable {
  /// Whom it tells, on its queue.
  struct Reports: Sendable {
    let accepted: @Sendable (consuming Descriptor) -> Void
    /// There is no descriptor left for the connection that waits. Whoever gets this switches accepting off for a
    /// while, since the socket stays readable.
    let exhausted: @Sendable () -> Void
  }

  /// How many connections are accepted in a row before requests get their turn; the rest follows behind them.
  private static let burst = 64

  private let number: Int32
  private let name: Int
  private let isShared: Bool
  private let sockets: ReadySockets
  private let reports: Reports
  private var held = ReadySockets.Interest.none

  /// Takes over a listening socket that does not block, and accepts from it at once.
  /// - Parameters:
  ///   - name: by which the socket is reported as ready.
  ///   - isShared: whether somebody else goes on listening at the same socket.
  init(owning number: Int32, as name: Int, isShared: Bool, among sockets: ReadySockets, _ reports: Reports) {
    self.number = number
    self.name = name
    self.isShared = isShared
    self.sockets = sockets
    self.reports = reports
    isOn = true
    watch()
  }

  var isOn: Bool {
    didSet { if isOn != oldValue { watch() } }
  }

  /// Closes the socket.
  func close() {
    isOn = false
    StreamSocket.stopListening(at: number, isShared: isShared)
  }

  /// Takes those that wait.
  func accept() {
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

  private func watch() {
    held = sockets.watch(number, as: name, ReadySockets.Interest(input: isOn), now: held)
  }
}
