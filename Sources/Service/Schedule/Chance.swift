/// The system's random numbers, for jitter.
///
/// It counts what was drawn, and so takes room: the system's own generator takes none, and what the thread sanitizer writes down of an
/// access to a value without an address ends the program.
package struct Chance: RandomNumberGenerator, Sendable {
  private var drawn: UInt64 = 0

  package init() {}

  package mutating func next() -> UInt64 {
    drawn &+= 1
    return UInt64.random(in: .min ... .max)
  }
}
