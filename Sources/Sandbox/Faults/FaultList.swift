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
