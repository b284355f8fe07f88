/// Where a web address ends inside a sentence, which no standard says.
enum AddressEnd {
  /// Whether the address goes on with this scalar.
  ///
  /// Letters of other alphabets belong to it, as people paste `/wiki/München`. Those of Chinese, Japanese and Korean do not: there
  /// the sentence goes on without a space, so that an address with such letters in it needs percent-encoding to be found whole.
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
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  /// The address without what is rather the sentence's: punctuation at its end, and closing brackets that nothing in it opened.
  static func withoutSentence(_ address: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    // Counted once: an address of nothing but brackets costs no more than another.
    var surplus: [Unicode.Scalar: Int] = [
      ")": address.count { $0 == ")" } - address.count { $0 == "(" },
      "]": address.count { $0 == "]" } - address.count { $0 == "[" },
    ]
    var rest = address
    while let last = rest.last {
      switch last {
      case ".", ",", ";", ":", "!", "?", "'", "*": break
      case ")", "]":
        guard surplus[last, default: 0] > 0 else { return rest }
        surplus[last, default: 0] -= 1
      default: return rest
      }
      rest.removeLast()
    }
    return rest
  }
}
