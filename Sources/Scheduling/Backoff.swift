internal import CivilTime

/// The pauses after failures, and their jitter.
package enum Backoff {
  /// The pauses after the first, second, … consecutive failure; the last one applies to all further failures. The first pauses are short,
  /// so that a brief network outage costs seconds and not a whole interval.
  static let pauses: [Duration] = [
    .seconds(15),  // 0:15 since the first failure
    .seconds(30),  // 0:45
    .seconds(60),  // 1:45
    .seconds(120),  // 3:45
    .seconds(300),  // 8:45
    .seconds(600),  // 18:45
    .seconds(900),  // 33:45
    .seconds(1800),  // and each half hour from then on
  ]

  /// The shortest time between two starts of the same kind of scheduled work, regardless of the result.
  package static let shortest = pauses[0]

  /// The pause after the first answer that only the user can change, such as a rejected token. Each further one doubles it, up to
  /// ``longest``: nothing is given up for good, because servers also send such answers by mistake.
  static let finalPause = Duration.seconds(3600)

  /// Returns the pause after this many consecutive answers that only the user can change.
  /// - Parameter isScarce: whether requests cost money or are counted. Then it is always a day.
  static func pause(afterFinal failures: Int, isScarce: Bool) -> Duration {
    isScarce ? longest : min(longest, finalPause * (1 << min(max(failures, 1) - 1, 5)))
  }

  /// The pause before retrying a failed write to storage, which needs no request.
  package static let storageRetry = Duration.seconds(20)

  /// The divisor for the jitter: up to a fifth of a pause is added to it, so that accounts that failed together do not retry together.
  static let jitter = 5

  /// The longest wait that is accepted from a provider.
  package static let longest = Duration.seconds(86_400)

  /// Returns the pause after this many consecutive failures, without jitter.
  package static func pause(after failures: Int) -> Duration {
    failures < 1 ? .zero : pauses[min(failures, pauses.count) - 1]
  }

  /// Returns the pause after this many consecutive failures, with up to a fifth of it as jitter.
  package static func pause(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let pause = pause(after: failures)
    return pause + random(upTo: pause / jitter, using: &generator)
  }

  /// Returns a random duration of whole milliseconds from zero to this one, uniformly distributed.
  package static func random(upTo most: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
    let milliseconds = (Timestamp(milliseconds: 0) + most).milliseconds
    return milliseconds <= 0 ? .zero : .milliseconds(Int64.random(in: 0...milliseconds, using: &generator))
  }
}

/// The system's random numbers, for jitter.
///
/// The generator counts its numbers only so that it occupies memory. The system's own generator occupies no memory, and the thread
/// sanitizer aborts the program when it records an access to a value without an address.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var drawn: UInt64 = 0

  package init() {}

  package mutating func next() -> UInt64 {
    drawn &+= 1
    return UInt64.random(in: .min ... .max)
  }
}
