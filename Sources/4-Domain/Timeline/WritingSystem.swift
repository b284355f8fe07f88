/// The properties of scripts that determine word boundaries (UAX #29 §4, for words without spaces).
enum WritingSystem {
  /// Returns whether a character belongs to a script without spaces between words. Hangul counts as one: it has spaces, but particles are
  /// attached to words.
  static func isUnspaced(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return isUnspaced(first)
  }

  /// Returns whether the character is part of a word delimited by spaces or punctuation.
  static func isPartOfSpacedWord(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, !isUnspaced(first) else { return false }
    return character.isLetter || character.isNumber || character == "_"
  }

  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // All scripts before Thai use spaces, so most text needs no further test.
    case ..<0x0e00: false
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff: true  // Thai, Lao, Myanmar, Khmer
    case 0x1100...0x11ff, 0xa960...0xa97f, 0xac00...0xd7ff: true  // Hangul
    case 0x2e80...0x2fdf, 0x3005...0x3007, 0x3040...0x318f, 0x31a0...0x31bf, 0x31f0...0x31ff: true  // Kana and similar
    case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff: true  // Han
    case 0xff66...0xffdc, 0x1aff0...0x1b16f: true  // halfwidth forms, kana supplements
    default: false
    }
  }
}
