internal import Dispatch

/// A few serial queues that share work. A free queue takes the next work, so work that blocks one queue, as on a slow disk, leaves the
/// others to the rest. Work begins in the order of the calls.
///
/// They are serial queues because a service should not wake up while it is idle: once a concurrent queue has been used, Dispatch checks its
/// threads every second. `make lint` therefore refuses concurrent queues in all sources.
package final class QueuePool: Sendable {
  private typealias Work = ClosureBox<@Sendable () -> Void>

  private struct State {
    var free: [DispatchQueue]
    var waiting: ArraySlice<Work> = []
  }

  private let count: Int
  private let state: Locked<State>
  private let rested: @Sendable () -> Void

  /// - Parameters:
  ///   - count: the number of queues.
  ///   - rested: called on any queue whenever all work has ended. More work may have been added since.
  package init(label: String, count: Int, rested: @escaping @Sendable () -> Void = {}) {
    self.count = count
    self.rested = rested
    state = Locked(State(free: (0..<count).map { DispatchQueue(label: "\(label).\($0)") }))
  }

  /// Runs the work on a free queue, or as soon as a queue is free.
  package func run(_ work: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state -> DispatchQueue? in
      if state.free.isEmpty { state.waiting.append(Work(work)) }
      return state.free.popLast()
    }
    if let queue { begin(Work(work), on: queue) }
  }

  /// Calls a function for each element, several at the same time, and returns the results in the order of the elements. Waits for them, so
  /// it must not be called on a queue of the pool.
  package func map<Element: Sendable, Value: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) -> Value
  ) -> [Value] {
    let values = Locked([Value?](repeating: nil, count: elements.count))
    let all = DispatchGroup()
    for (index, element) in elements.enumerated() {
      all.enter()
      run {
        let value = body(element)
        values.withLock { $0[index] = value }
        all.leave()
      }
    }
    all.wait()
    return values.withLock { $0.compactMap(\.self) }
  }

  private func begin(_ work: Work, on queue: DispatchQueue) {
    queue.async {
      work.call()
      let (next, isLast) = self.state.withLock { state -> (Work?, Bool) in
        let next = state.waiting.popFirst()
        // An empty slice would keep its storage alive, including the work taken from it.
        if state.waiting.isEmpty { state.waiting = [] }
        if next == nil { state.free.append(queue) }
        return (next, state.free.count == self.count)
      }
      if let next { self.begin(next, on: queue) }
      if isLast { self.rested() }
    }
  }
}
