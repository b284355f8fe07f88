internal import Platform

/// Accepts connections from one listening socket.
// Sendable because its mutable state is used only on the server's queue.
final class Acceptor: @unchecked Sendable {
  /// Callbacks, which run on the server's queue.
  struct Reports: Sendable {
    let accepted: @Sendable (consuming Descriptor) -> Void
    /// No file descriptors are left for a waiting connection. The receiver must temporarily set `isOn` to false, because the socket remains
    /// readable.
    let exhausted: @Sendable () -> Void
  }

  /// The maximum number of connections accepted in a row before other events are processed.
  private static let burst = 64

  private let number: Int32
  private let name: Int
  private let isShared: Bool
  private let sockets: ReadySockets
  private let reports: Reports
  private var watched = ReadySockets.Interest.none

  /// Takes ownership of a non-blocking listening socket and starts accepting.
  /// - Parameters:
  ///   - name: the name that `ReadySockets` reports the socket under.
  ///   - isShared: whether another process or object keeps listening on the same socket.
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

  /// Accepts waiting connections.
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
    watched = sockets.watch(number, as: name, ReadySockets.Interest(input: isOn), current: watched)
  }
}
