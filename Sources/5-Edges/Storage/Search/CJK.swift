/// Characters of scripts without spaces between words: a tokenizer finds no word boundaries in them.
///
/// The ranges are numbers rather than Unicode properties, because every later version must be able to reproduce the text that an index was
/// built from.
enum CJK {
  /// Returns whether a run that contains this scalar is split into pairs: Han, kana with the prolonged sound mark, Bopomofo and Hangul.
  /// Hangul has spaces between words, but people also search for parts of words.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x11ff,  // Hangul Jamo
      0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303c,  // iteration marks, zero, Suzhou numerals
      0x3041...0x3096, 0x309d...0x309f,  // Hiragana
      0x30a1...0x30fa, 0x30fc...0x30ff,  // Katakana
      0x3105...0x312f, 0x31a0...0x31bf,  // Bopomofo
      0x3131...0x318e,  // Hangul Compatibility Jamo
      0x31f0...0x31ff,  // Katakana Phonetic Extensions
      0x3400...0x4dbf, 0x4e00...0x9fff,  // Han, extension A first
      0xa960...0xa97f, 0xac00...0xd7ff,  // Hangul
      0xf900...0xfaff,  // Han, for compatibility
      0xff66...0xffdc,  // halfwidth kana and Hangul
      0x1aff0...0x1afff, 0x1b000...0x1b16f,  // more kana
      0x20000...0x3ffff:  // Han, extensions B and further
      true
    default: false
    }
  }
}
