/// What is to go wrong with the next answers, path by path.
package struct FaultList: Sendable {
  private var queued: [String: [(fault: SandboxFault, times: Int)]] = [:]

  package init() {}

  /// Has the next `times` answers to a path go wrong, behind those that were asked for before.
  /// - Parameter path: without a query.
  package mutating func add(_ fault: SandboxFault, to path: String, times: Int = 1) {
    if times > 0 { queued[path, default: []].append((fault, times)) }
  }

  /// Everything goes well again.
  package mutating func removeAll() { queued = [:] }

  /// Takes what goes wrong with the next answer to a path.
  package mutating func next(for path: String) -> SandboxFault? {
    guard var first = queued[path]?.first else { return nil }
    first.times -= 1
    if first.times > 0 { queued[path]?[0] = first } else { queued[path]?.removeFirst() }
    return first.fault
  }
}

/// What is to go wrong, on demand.
package struct SandboxFaults: Sendable {
  /// How far the provider's clock is ahead: in `Date`, in the check of timestamps, in limits. The posts keep the true time.
  package var clockOffset: Duration = .zero
  package var latePosts: LatePosts?
  /// Of the API v2.
  package var v2 = V2Faults()
  private var list = FaultList()

  package init() {}

  /// Has the next `times` answers of a route go wrong, behind those that were asked for before.
  package mutating func add(_ fault: SandboxFault, to route: SandboxRoute, times: Int = 1) {
    list.add(fault, to: route.path, times: times)
  }

  /// Everything goes well again.
  package mutating func removeAll() { self = SandboxFaults() }

  /// Takes what goes wrong with the next answer of a route.
  mutating func next(for route: SandboxRoute) -> SandboxFault? { list.next(for: route.path) }
}

/// Posts that appear later than their ids say, below newer ones: what a reader with `since_id` alone never sees.
package struct LatePosts: Sendable, Equatable {
  /// Each so-manieth post is late; at least 1.
  package let every: Int
  package let by: Duration

  package init(every: Int, by delay: Duration) {
    precondition(every >= 1, "every first post or rarer can be late")
    self.every = every
    self.by = delay
  }
}
