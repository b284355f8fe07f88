package import Time

/// The pauses between an account's requests, and their jitter.
extension Backoff {
  /// The pauses after consecutive failures. The first pauses are short, so that a brief network outage costs seconds and not a whole
  /// interval.
  static let requests = Backoff([
    .seconds(15),  // 0:15 since the first failure
    .seconds(30),  // 0:45
    .seconds(60),  // 1:45
    .seconds(120),  // 3:45
    .seconds(300),  // 8:45
    .seconds(600),  // 18:45
    .seconds(900),  // 33:45
    .seconds(1800),  // and each half hour from then on
  ])

  /// The minimum interval between starts of the same kind of scheduled work, whether or not it succeeds.
  package static let shortest = requests.pause(after: 1)

  /// The pause after the first answer that only the user can change, such as a refused token. Each further answer doubles the pause, up to
  /// ``longest``: homeline never gives up, because servers also send such answers by mistake.
  static let finalPause = Duration.seconds(3600)

  /// Returns the pause after this many consecutive answers that only the user can change.
  /// - Parameter isScarce: whether requests cost money or are counted. The pause is then always a day.
  static func pause(afterFinal failures: Int, isScarce: Bool) -> Duration {
    isScarce ? longest : min(longest, finalPause * (1 << min(max(failures, 1) - 1, 5)))
  }

  /// The pause before retrying a failed write to storage, which needs no request.
  package static let storageRetry = Duration.seconds(20)

  /// The pause between two pages of a gap if the provider reports its limits.
  static let betweenPages = Duration.seconds(2)

  /// The divisor for the jitter: up to a fifth of a pause is added to it, so that accounts that failed together do not retry together.
  static let jitter = 5

  /// The longest wait that a provider can request.
  package static let longest = Duration.seconds(86_400)

  /// Returns the pause after this many consecutive failures, without jitter.
  package static func pause(after failures: Int) -> Duration { requests.pause(after: failures) }

  /// Returns the pause after this many consecutive failures, with up to a fifth of it as jitter.
  package static func pause(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    pause(after: failures) { random(upTo: $0, using: &generator) }
  }

  /// Returns the pause after this many consecutive failures, with jitter.
  /// - Parameter jitter: returns a duration of at most the given one.
  static func pause(after failures: Int, jitter: (Duration) -> Duration) -> Duration {
    let pause = pause(after: failures)
    return pause + jitter(pause / Self.jitter)
  }

  /// Returns a random duration in whole milliseconds, uniformly distributed between zero and this duration.
  package static func random(upTo most: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
    let milliseconds = (Timestamp(milliseconds: 0) + most).milliseconds
    return milliseconds <= 0 ? .zero : .milliseconds(Int64.random(in: 0...milliseconds, using: &generator))
  }
}
