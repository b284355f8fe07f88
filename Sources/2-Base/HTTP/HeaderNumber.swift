/// A whole number in a header field. The sender can write any number of digits, so each reader states the range that it accepts.
package enum HeaderNumber {
  /// The possible sizes of a file, in bytes: at most 8 TiB.
  package static let sizes = 0...(1 << 43)

  /// Returns a number in a range; `nil` for any other text.
  /// - Parameter text: digits, with an optional minus sign before them.
  package static func read<Integer: FixedWidthInteger>(
    _ text: some StringProtocol, in range: ClosedRange<Integer>
  ) -> Integer? {
    guard isNumber(text), let number = Integer(String(text)), range.contains(number) else { return nil }
    return number
  }

  /// Returns the number, clamped to a range; `nil` if the text is not a number.
  /// - Parameter text: digits, with an optional minus sign before them.
  package static func nearest<Integer: FixedWidthInteger>(
    _ text: some StringProtocol, in range: ClosedRange<Integer>
  ) -> Integer? {
    guard isNumber(text) else { return nil }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let number = Integer(String(text)) ?? (isNegative ? .min : .max)
    return min(max(number, range.lowerBound), range.upperBound)
  }

  private static func isNumber(_ text: some StringProtocol) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8.dropFirst(0)
    return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
