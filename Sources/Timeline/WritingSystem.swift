/// What has to be known of scripts to tell where a word ends (UAX #29 §4, as far as words without spaces go).
enum WritingSystem {
  /// Whether the character belongs to a script that puts no spaces between words: its words are found anywhere.
  ///
  /// Hangul has spaces, but what a word stands with is written onto it.
  static func isUnspaced(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return isUnspaced(first)
  }

  /// Whether the character is part of a word that spaces or punctuation end.
  static func isPartOfSpacedWord(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, !isUnspaced(first) else { return false }
    return character.isLetter || character.isNumber || character == "_"
  }

  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Below Thai there is none, and most texts end here.
    case ..<0x0e00: false
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff: true  // Thai, Lao, Myanmar, Khmer
    case 0x1100...0x11ff, 0xa960...0xa97f, 0xac00...0xd7ff: true  // Hangul
    case 0x2e80...0x2fdf, 0x3005...0x3007, 0x3040...0x318f, 0x31a0...0x31bf, 0x31f0...0x31ff: true  // Kana and its kin
    case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff: true  // Han
    case 0xff66...0xffdc, 0x1aff0...0x1b16f: true  // halfwidth forms, Kana's supplements
    default: false
    }
  }
}
