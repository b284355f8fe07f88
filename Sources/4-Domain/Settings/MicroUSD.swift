/// US dollars in whole millionths, so that sums are exact.
package enum MicroUSD {
  /// A dollar.
  package static let one: Int64 = 1_000_000

  /// Returns the exact amount for a decimal number.
  ///
  /// - Parameter text: a JSON number (RFC 8259 §6) without an exponent.
  /// - Returns: `nil` for a number that is negative, has an exponent or more than six decimals, or is too large.
  package static func amount(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = digits(parts[0]) else { return nil }
    guard parts.count == 2 else { return scaled(whole, by: one) }
    guard (1...6).contains(parts[1].utf8.count), let decimals = digits(parts[1]) else { return nil }
    let scale = (parts[1].utf8.count..<6).reduce(into: Int64(1)) { scale, _ in scale *= 10 }
    guard let dollars = scaled(whole, by: one) else { return nil }
    let (sum, isTooLarge) = dollars.addingReportingOverflow(decimals * scale)
    return isTooLarge ? nil : sum
  }

  /// Returns the amount as a decimal number with two to six decimals, such as `1.00` or `0.005`. It is a valid JSON number.
  package static func text(_ amount: Int64) -> String {
    let magnitude = amount.magnitude
    var decimals = String(magnitude % UInt64(one))
    decimals = String(repeating: "0", count: 6 - decimals.utf8.count) + decimals
    while decimals.utf8.count > 2, decimals.hasSuffix("0") { decimals.removeLast() }
    return (amount < 0 ? "-" : "") + "\(magnitude / UInt64(one)).\(decimals)"
  }

  private static func digits(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }

  private static func scaled(_ value: Int64, by scale: Int64) -> Int64? {
    let (product, isTooLarge) = value.multipliedReportingOverflow(by: scale)
    return isTooLarge ? nil : product
  }
}
