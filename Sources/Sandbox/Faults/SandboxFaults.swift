/// What is to go wrong, on demand.
package struct SandboxFaults: Sendable {
  /// How far the provider's clock is ahead: in `Date`, in the check of timestamps, in limits. The posts keep the true time.
  package var clockOffset: Duration = .zero
  package var latePosts: LatePosts?
  /// Of the API v2.
  package var v2 = V2Faults()
  private var queued: [SandboxRoute: [(fault: SandboxFault, times: Int)]] = [:]

  package init() {}

  /// Has the next `times` answers of a route go wrong, behind those that were asked for before.
  package mutating func add(_ fault: SandboxFault, to route: SandboxRoute, times: Int = 1) {
    if times > 0 { queued[route, default: []].append((fault, times)) }
  }

  /// Everything goes well again.
  package mutating func removeAll() { self = SandboxFaults() }

  /// Takes what goes wrong with the next answer of a route.
  mutating func next(for route: SandboxRoute) -> SandboxFault? {
    guard var first = queued[route]?.first else { return nil }
    first.times -= 1
    if first.times > 0 { queued[route]?[0] = first } else { queued[route]?.removeFirst() }
    return first.fault
  }
}
