internal import Time

/// The pauses before a failed URL is requested again.
enum MediaRetry {
  /// The pauses after the first failure, the second, and so on. The last pause is repeated.
  static let steps: [Duration] = [.seconds(60), .seconds(600), .seconds(3600), .seconds(86_400), .seconds(7 * 86_400)]

  /// Returns the time of the next attempt.
  /// - Parameter tries: the number of failures, including this one.
  static func nextTry(after tries: Int, at now: Timestamp) -> Timestamp {
    now + steps[min(max(tries, 1), steps.count) - 1]
  }

  /// Returns whether the pause has ended. It also counts as ended if the clock has been set back since.
  static func isOver(_ next: Timestamp, at now: Timestamp) -> Bool {
    next <= now || next > now + steps[steps.count - 1]
  }
}
