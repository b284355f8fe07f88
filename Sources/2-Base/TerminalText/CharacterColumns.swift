/// The number of columns that a character occupies on a terminal: zero, one or two.
///
/// If terminals disagree about a character, the larger number is used: a line that is one column too short does no harm, but a terminal
/// would break one that is too long.
package enum CharacterColumns {
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    let first = scalars.first!
    // Most characters are a single scalar, which needs no loop.
    if scalars.dropFirst().isEmpty { return of(first) }
    var sum = 0
    for scalar in scalars {
      // An emoji with a joiner or a skin tone is as wide as a single emoji, and so is a character in emoji presentation.
      if scalar.value == 0xfe0f { return 2 }
      sum += of(scalar)
      if sum >= 2 { return 2 }
    }
    return sum
  }

  /// Returns the same number as `wcwidth(3)`, but 0 for unprintable scalars.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7f: return 1
    case ..<0xa0: return 0
    // The soft hyphen is of category Cf, but is visible.
    case 0xa0..<0x300: return 1
    // Hangul vowels and final consonants combine with the preceding consonant.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    // Signs before or around numbers (Prepended_Concatenation_Mark) are of category Cf, but are visible.
    case 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if WideScalars.contains(scalar.value) { return 2 }
    return scalar.properties.isEmojiPresentation ? 2 : 1
  }
}
