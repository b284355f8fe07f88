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
