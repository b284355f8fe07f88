/// Counts unfinished pieces of work, and calls back when none is left. Belongs to the account's queue.
package final class UnfinishedWork {
  private var pieces = 0
  private var waiting: [() -> Void] = []

  package func begin() { pieces += 1 }

  package func end() {
    pieces -= 1
    guard pieces == 0 else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  /// Calls back immediately if no work is unfinished, otherwise when all work is finished.
  package func whenDone(_ body: @escaping () -> Void) {
    if pieces == 0 { body() } else { waiting.append(body) }
  }
}
