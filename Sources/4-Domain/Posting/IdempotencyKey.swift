/// The value of `Idempotency-Key`: 128 random bits in hexadecimal. It is never derived from the post, because some servers store a key
/// without its user.
package struct IdempotencyKey: Sendable, Hashable {
  package let text: String

  /// Creates a key from its stored form; `nil` if it has characters other than letters and digits.
  package init?(stored text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ Self.isDigitOrLetter($0) }) else { return nil }
    self.text = text
  }

  private static func isDigitOrLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  package init(using generator: inout some RandomNumberGenerator) {
    let digits = String(UInt128.random(in: .min ... .max, using: &generator), radix: 16)
    text = String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }
}
