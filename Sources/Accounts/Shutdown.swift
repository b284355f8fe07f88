internal import Platform

/// That the owner of the state ends, for work on any queue that has not begun yet.
package final class Shutdown: Sendable {
  /// So many databases bring their logs into their files when they are closed, and further ones keep them: that takes syncs of the disk,
  /// and a thousand accounts would take longer for them than there is time. The next owner goes on with the logs.
  private static let mostLogs = 50

  private struct State {
    var isUnderWay = false
    var closed = 0
  }

  private let state = Locked(State())

  /// Nothing that takes long is to be begun any more.
  package var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

  package func begin() { state.withLock { $0.isUnderWay = true } }

  /// Whether a database that is closed now keeps its log. To be asked once for each.
  func keepsLog() -> Bool {
    state.withLock { state in
      guard state.isUnderWay else { return false }
      state.closed += 1
      return state.closed > Self.mostLogs
    }
  }
}
