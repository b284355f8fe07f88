/// The pauses after consecutive failures.
package struct Backoff: Sendable {
  private let pauses: [Duration]

  /// - Parameter pauses: the pauses after the first, second, … failure; the last pause applies to all further failures.
  package init(_ pauses: [Duration]) {
    precondition(!pauses.isEmpty, "there is no pause")
    self.pauses = pauses
  }

  /// Returns the pause after this many consecutive failures; none if there was no failure.
  package func pause(after failures: Int) -> Duration {
    failures < 1 ? .zero : pauses[min(failures, pauses.count) - 1]
  }
}
