/// A number in a document. Its value can be read only within a range, so that a number from a file or server is never larger than its
/// reader expects.
package struct JSONNumber: Sendable, Hashable {
  /// The largest number that all JSON programs agree on: 2⁵³ − 1 (RFC 8259 §6).
  package static let largest: Int64 = 9_007_199_254_740_991

  /// `nil` if the number has a fraction, an exponent or more than 64 bits.
  private let value: Int64?

  init(_ value: Int64?) { self.value = value }

  /// Reads a number written as a string: digits, with an optional minus sign before them.
  package init(text: String) {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    self.init(digits.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil)
  }

  /// Returns the value; `nil` if it is not a whole number in the range.
  package func integer<Integer: FixedWidthInteger>(in range: ClosedRange<Integer>) -> Integer? {
    guard let value, let integer = Integer(exactly: value), range.contains(integer) else { return nil }
    return integer
  }
}
