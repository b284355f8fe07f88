/// Random names that reveal nothing about a file.
package enum RandomName {
  /// Returns 16 random hexadecimal digits.
  package static func make(using generator: inout some RandomNumberGenerator) -> String {
    let digits = String(generator.next() as UInt64, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
