internal import Dispatch
internal import Platform

/// Runs the handlers of requests: a few at a time, so that requests for large archives do not take all processors and memory from the
/// refreshes. The others wait in the order of their arrival.
final class WebWorkers: Sendable {
  /// The number of handlers that run at the same time.
  static let width = 4

  private struct State {
    var running = 0
    var waiting: ArraySlice<ClosureBox<@Sendable () -> Void>> = []
  }

  private let state = Locked(State())
  private let rested: @Sendable () -> Void

  /// - Parameter rested: called on any queue when no handler runs any more.
  init(rested: @escaping @Sendable () -> Void) { self.rested = rested }

  func run(_ work: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      guard state.running < Self.width else {
        state.waiting.append(ClosureBox(work))
        return false
      }
      state.running += 1
      return true
    }
    if starts { start(work) }
  }

  private func start(_ work: @escaping @Sendable () -> Void) {
    // A serial queue for each: once a concurrent queue has been used, Dispatch checks its threads every second.
    DispatchQueue(label: "homeline.web.work").async {
      work()
      self.startNext()
    }
  }

  private func startNext() {
    let (next, isLast) = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.running -= 1 }
      return (next, state.running == 0)
    }
    if let next { return start(next.call) }
    if isLast { rested() }
  }
}
