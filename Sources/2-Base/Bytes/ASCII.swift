/// Case conversion and digits for names defined as ASCII, independent of the locale.
package enum ASCII {
  @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  @inlinable package static func uppercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
  }

  /// Returns the string with `A` to `Z` converted to lower case.
  @inlinable package static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { lowercased($0) }, as: UTF8.self)
  }

  /// Returns the string with `a` to `z` converted to upper case.
  @inlinable package static func uppercased(_ text: String) -> String {
    // Most methods are already in upper case.
    guard text.utf8.contains(where: { uppercased($0) != $0 }) else { return text }
    return String(decoding: text.utf8.map { uppercased($0) }, as: UTF8.self)
  }

  @inlinable package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  @inlinable package static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }

  @inlinable package static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// Returns the value of a hexadecimal digit in upper or lower case; nil for other bytes.
  @inlinable package static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
