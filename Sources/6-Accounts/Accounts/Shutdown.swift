internal import Platform

/// Signals that the state owner is shutting down, so that no further work is started on any queue.
package final class Shutdown: Sendable {
  /// The maximum number of databases whose write-ahead logs are checkpointed when they are closed during a shutdown; the other databases
  /// keep their logs. Checkpoints require disk syncs, which would take longer than a shutdown may with a thousand accounts. The next state
  /// owner continues with the logs.
  private static let mostLogs = 50

  private struct State {
    var isUnderWay = false
    var closed = 0
  }

  private let state = Locked(State())

  /// Whether the shutdown has begun. Once it has, no long-running work may be started.
  package var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

  package func begin() { state.withLock { $0.isUnderWay = true } }

  /// Returns whether the database that is being closed keeps its log. Call once for each database.
  func keepsLog() -> Bool {
    state.withLock { state in
      guard state.isUnderWay else { return false }
      state.closed += 1
      return state.closed > Self.mostLogs
    }
  }
}
