/// Folds equivalent characters together, without using Unicode tables: fullwidth letters, halfwidth kana, and decomposed kana and Hangul
/// (UAX
/// #15). The tokenizer handles letter case and accents.
enum FoldedText {
  /// Returns the scalars of text with equivalent characters folded together.
  /// - Parameter note: called for each scalar of the result, with the index of the first source scalar in the text.
  @inline(__always)
  static func scalars(of text: String, _ note: (Int) -> Void = { _ in }) -> [Unicode.Scalar] {
    var folded: [Unicode.Scalar] = []
    folded.reserveCapacity(text.utf8.count)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let count = folded.count
      switch scalar.value {
      case ..<0x1100: folded.append(scalar)
      case 0xff01...0xff5e: folded.append(moved(scalar, by: -0xfee0))
      case 0xff66...0xff9d: folded.append(kana[Int(scalar.value - 0xff66)])
      // Variation selectors choose a glyph, not a letter.
      case 0xfe00...0xfe0f, 0xe0100...0xe01ef: break
      case 0x3099, 0xff9e: mark(&folded, voiced)
      case 0x309a, 0xff9f: mark(&folded, halfVoiced)
      case 0x1161...0x1175, 0x11a8...0x11c2: join(scalar, to: &folded)
      default: folded.append(scalar)
      }
      if folded.count > count { note(index) }
    }
    return folded
  }

  /// U+FF66 to U+FF9D in their fullwidth forms.
  private static let kana = Array(
    "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)

  /// Combines a sound mark with the preceding letter. A mark that cannot be combined is dropped.
  private static func mark(_ folded: inout [Unicode.Scalar], _ marked: (UInt32) -> UInt32?) {
    guard let last = folded.last, let value = marked(last.value), let scalar = Unicode.Scalar(value) else { return }
    folded[folded.count - 1] = scalar
  }

  private static func voiced(_ letter: UInt32) -> UInt32? {
    switch letter {
    case 0x3046: 0x3094
    case 0x30a6: 0x30f4
    case 0x30ef...0x30f2: letter + 8
    case 0x309d, 0x30fd: letter + 1
    // Each katakana letter is 0x60 above its hiragana counterpart.
    case 0x304b...0x307b, 0x30ab...0x30db:
      switch letter < 0x30a0 ? letter : letter - 0x60 {
      case let row where row <= 0x3062 && row % 2 == 1: letter + 1
      case 0x3064, 0x3066, 0x3068: letter + 1
      case 0x306f, 0x3072, 0x3075, 0x3078, 0x307b: letter + 1
      default: nil
      }
    default: nil
    }
  }

  private static func halfVoiced(_ letter: UInt32) -> UInt32? {
    switch letter < 0x30a0 ? letter : letter - 0x60 {
    case 0x306f, 0x3072, 0x3075, 0x3078, 0x307b: letter + 2
    default: nil
    }
  }

  /// Combines a vowel or a final consonant with the preceding syllable (The Unicode Standard §3.12).
  private static func join(_ jamo: Unicode.Scalar, to folded: inout [Unicode.Scalar]) {
    let last = folded.last?.value ?? 0
    switch (last, jamo.value) {
    case (0x1100...0x1112, 0x1161...0x1175):
      replaceLast(of: &folded, by: 0xac00 + ((last - 0x1100) * 21 + jamo.value - 0x1161) * 28)
    case (0xac00...0xd7a3, 0x11a8...0x11c2) where (last - 0xac00) % 28 == 0:
      replaceLast(of: &folded, by: last + jamo.value - 0x11a7)
    default: folded.append(jamo)
    }
  }

  private static func replaceLast(of folded: inout [Unicode.Scalar], by value: UInt32) {
    if let scalar = Unicode.Scalar(value) { folded[folded.count - 1] = scalar }
  }

  private static func moved(_ scalar: Unicode.Scalar, by distance: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(Int(scalar.value) + distance)) ?? scalar
  }
}
