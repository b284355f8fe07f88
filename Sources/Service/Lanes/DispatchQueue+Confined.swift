package import Dispatch
internal import Platform

extension DispatchQueue {
  /// Runs work later on this queue with values that belong to it. To be called on the queue itself.
  package func later(_ work: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(self))
    let confined = Confined(work)
    async { confined.value() }
  }
}
