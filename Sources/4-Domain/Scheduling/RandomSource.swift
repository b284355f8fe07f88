/// The system's random numbers, for jitter.
///
/// The generator counts its numbers only so that it occupies memory. The system's generator occupies none, and the thread sanitizer aborts
/// the program when it records access to a value without an address.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var drawn: UInt64 = 0

  package init() {}

  package mutating func next() -> UInt64 {
    drawn &+= 1
    return UInt64.random(in: .min ... .max)
  }
}
