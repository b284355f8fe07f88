/// The characters of each part of an address.
enum LinkCharacter {
  /// Returns whether X accepts a character in a domain name. It accepts no whitespace, no direction marks and hardly any ASCII
  /// punctuation.
  static func isDomainCharacter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isLetterOrDigit(scalar) || scalar == "\"" || scalar == "`" || isControl(scalar) }
    switch scalar.value {
    case 0x85, 0xA0, 0x1680, 0x180E, 0x2000...0x200A, 0x2028...0x2029, 0x202F, 0x205F, 0x3000: return false
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: return false
    case 0xFEFF, 0xFFFE, 0xFFFF: return false
    default: return true
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !(0x09...0x0D ~= scalar.value) || scalar.value == 0x7F
  }

  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  static func isLatinAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x253...0x254, 0x256...0x257, 0x259, 0x25B, 0x263, 0x268, 0x26F, 0x272,
      0x289, 0x28B, 0x2BB, 0x300...0x36F, 0x1E00...0x1EFF:
      true
    default: false
    }
  }

  private static func isCyrillic(_ scalar: Unicode.Scalar) -> Bool { 0x400...0x4FF ~= scalar.value }

  static func isPathCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "!", "*", "'", ";", ":", "=", "+", ",", ".", "$", "/", "%", "#", "[", "]", "-", "–", "_", "~", "@", "|", "&":
      true
    default: isLetterOrDigit(scalar) || isLatinAccent(scalar) || isCyrillic(scalar)
    }
  }

  static func canEndPath(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "+", "-", "=", "_", "#", "/": true
    default: isLetterOrDigit(scalar) || isLatinAccent(scalar) || isCyrillic(scalar)
    }
  }

  static func isQueryCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "!", "?", "*", "'", "@", "(", ")", ";", ":", "&", "=", "+", "$", "/", "%", "#", "[", "]", "-", "_", ".", ",",
      "~", "|":
      true
    default: isLetterOrDigit(scalar)
    }
  }

  static func canEndQuery(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "-", "_", "&", "=", "#", "/": true
    default: isLetterOrDigit(scalar)
    }
  }
}
