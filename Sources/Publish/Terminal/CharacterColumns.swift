/// How many columns a character takes on a terminal: none, one or two.
///
/// Terminals agree neither with each other nor with one version of Unicode. Where they differ the larger number is taken: a line
/// that is a column too short is no harm, one that is too long is broken by the terminal where nobody wants it.
package enum CharacterColumns {
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    let first = scalars.first!
    // Most there is to count: one scalar, which needs no loop.
    if scalars.dropFirst().isEmpty { return of(first) }
    var sum = 0
    for scalar in scalars {
      // An emoji out of several, joined or with a colour of skin, is as wide as one. So is what asks to be shown as one.
      if scalar.value == 0xfe0f { return 2 }
      sum += of(scalar)
      if sum >= 2 { return 2 }
    }
    return sum
  }

  package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// As `wcwidth(3)` has it, but 0 for what it calls unprintable.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7f: return 1
    case ..<0xa0: return 0
    // The soft hyphen is of category Cf, and shown.
    case 0xa0..<0x300: return 1
    // Vowels and final consonants of Hangul, which join the consonant before them.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    // Signs that stand before or around numbers (Prepended_Concatenation_Mark): of category Cf too, and shown.
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
