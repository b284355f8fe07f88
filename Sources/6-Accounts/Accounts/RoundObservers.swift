/// The observers of the rounds of one account. Belongs to the account's queue.
package final class RoundObservers {
  private var bodies: [Int: (RoundProgress) -> Void] = [:]
  private var lastNumber = 0

  /// Reports the progress of rounds to a closure.
  /// - Returns: the number to pass to ``remove(_:)``.
  package func add(_ body: @escaping (RoundProgress) -> Void) -> Int {
    lastNumber += 1
    bodies[lastNumber] = body
    return lastNumber
  }

  package func remove(_ number: Int) { bodies[number] = nil }

  func report(_ progress: RoundProgress) { for body in bodies.values { body(progress) } }
}
