internal import Dispatch
internal import Platform

/// Serial queues that render the published files of all accounts. A free queue takes the next work, so a slow disk that blocks one account's
/// rendering leaves the other queues to the other accounts.
package final class RenderingQueues: Sendable {
  private typealias Work = ClosureBox<@Sendable () -> Void>

  private struct State {
    var free: [DispatchQueue]
    var waiting: ArraySlice<Work> = []
  }

  private let state: Locked<State>

  package init(count: Int = 4) {
    state = Locked(State(free: (0..<count).map { DispatchQueue(label: "homeline.rendering.\($0)") }))
  }

  /// Runs the work on a free queue, or as soon as a queue is free. Work begins in the order of the calls.
  func run(_ work: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state -> DispatchQueue? in
      if state.free.isEmpty { state.waiting.append(Work(work)) }
      return state.free.popLast()
    }
    if let queue { begin(Work(work), on: queue) }
  }

  private func begin(_ work: Work, on queue: DispatchQueue) {
    queue.async {
      work.call()
      let next = self.state.withLock { state -> Work? in
        let next = state.waiting.popFirst()
        // An empty slice would keep its storage alive, including the work taken from it.
        if state.waiting.isEmpty { state.waiting = [] }
        if next == nil { state.free.append(queue) }
        return next
      }
      if let next { self.begin(next, on: queue) }
    }
  }
}
