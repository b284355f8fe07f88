internal import CivilTime

/// How long to wait after failures, and the chance in it.
package enum Backoff {
  /// The pause after the first, second, … failure in a row; the last one for all that follow. The first ones are short, so that a
  /// moment without network costs seconds and not a whole interval.
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

  /// Nothing that the schedule starts begins earlier than this after the start of the last of its kind, however that ended.
  package static let shortest = pauses[0]

  /// How long what could not be stored waits until that is tried again. No request is sent for it.
  package static let storageRetry = Duration.seconds(20)

  /// Of a pause, at most this part (a fifth) is added by chance, so that those who failed together do not come back together.
  static let jitter = 5

  /// Beyond this no provider's word is taken.
  package static let longest = Duration.seconds(86_400)

  /// The pause after so many failures in a row, without the chance.
  package static func pause(after failures: Int) -> Duration {
    failures < 1 ? .zero : pauses[min(failures, pauses.count) - 1]
  }

  /// The pause after so many failures in a row: that of the table, and up to a fifth more.
  package static func pause(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let pause = pause(after: failures)
    return pause + random(upTo: pause / jitter, using: &generator)
  }

  /// A duration of whole milliseconds from nothing to this, each as likely as another.
  package static func random(upTo most: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
    let milliseconds = (Timestamp(milliseconds: 0) + most).milliseconds
    return milliseconds <= 0 ? .zero : .milliseconds(Int64.random(in: 0...milliseconds, using: &generator))
  }
}

/// The system's random numbers, for jitter.
///
/// It counts what was drawn, and so takes room: the system's own generator takes none, and what the thread sanitizer writes down of an
/// access to a value without an address ends the program.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var drawn: UInt64 = 0

  package init() {}

  package mutating func next() -> UInt64 {
    drawn &+= 1
    return UInt64.random(in: .min ... .max)
  }
}
