/// Determines where a web address ends within a sentence. No standard defines this.
enum AddressEnd {
  /// Returns whether the scalar belongs to the address.
  ///
  /// Letters from other alphabets belong to the address, because people paste `/wiki/München`. Chinese, Japanese and Korean letters do not,
  /// because a sentence in these scripts continues without a space. An address with such letters is found in full only if they are
  /// percent-encoded.
  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", "\"", "\\", "`", "{", "}", "|", "^": return false
    default: break
    }
    if scalar.isASCII { return scalar.value > 0x20 && scalar.value != 0x7f }
    switch scalar.value {
    case 0x1100...0x11ff, 0x2e80...0xd7ff, 0xf900...0xfaff, 0xfe30...0xfe4f, 0xff00...0xffef, 0x20000...0x3ffff:
      return false
    default: break
    }
    return isOfWord(scalar)
  }

  /// Returns whether the scalar is a letter, a decimal digit or a mark on a letter.
  static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Returns the end of the address. Trailing punctuation and unbalanced closing brackets belong to the sentence; all of them are ASCII.
  static func withoutPunctuation(_ address: Range<Int>, in bytes: Span<UInt8>) -> Int {
    // Brackets are counted once, so that an address of only brackets takes linear time.
    var (round, square) = (0, 0)
    for index in address {
      switch bytes[index] {
      case UInt8(ascii: "("): round -= 1
      case UInt8(ascii: ")"): round += 1
      case UInt8(ascii: "["): square -= 1
      case UInt8(ascii: "]"): square += 1
      default: break
      }
    }
    var end = address.upperBound
    while end > address.lowerBound {
      switch bytes[end - 1] {
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
        UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"):
        break
      case UInt8(ascii: ")"):
        guard round > 0 else { return end }
        round -= 1
      case UInt8(ascii: "]"):
        guard square > 0 else { return end }
        square -= 1
      default: return end
      }
      end -= 1
    }
    return end
  }
}
