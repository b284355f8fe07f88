/// Prepares text from several services for comparison by removing the parts that the services add.
enum TextWithoutLinks {
  /// Returns the text in one letter case, without whitespace, links and a final ellipsis.
  static func essence(of text: String) -> String {
    var essence = text.caseFolded.split(whereSeparator: \.isWhitespace).map(withoutLink).joined()
    while let last = essence.last, last == "…" || last == "." && essence.hasSuffix("...") {
      essence.removeLast(last == "…" ? 1 : 3)
    }
    return essence
  }

  /// Returns a word without its addresses. In scripts without spaces, text may follow an address directly.
  private static func withoutLink(_ word: Substring) -> String {
    if word.hasPrefix("www.") || beginsWithHost(word) { return String(behindLink(word)) }
    var kept = ""
    var rest = word
    while let mark = rest.firstRange(of: "://") {
      let before = rest[..<mark.lowerBound]
      rest = rest[mark.upperBound...]
      if let scheme = ["https", "http"].first(where: { before.hasSuffix($0) }) {
        kept += before.dropLast(scheme.count)
        rest = behindLink(rest)
      } else {
        kept += before + "://"
      }
    }
    return kept + rest
  }

  private static func behindLink(_ text: Substring) -> Substring {
    text.drop { !WritingSystem.isUnspaced($0) && !isIdeographicPunctuation($0) }
  }

  /// Returns whether a word begins with an address without a scheme, such as `t.co/abc`: labels, the last of them only letters, and a path.
  private static func beginsWithHost(_ word: Substring) -> Bool {
    // Only words with a slash can contain an address, and most have none.
    guard word.utf8.contains(UInt8(ascii: "/")) else { return false }
    let labels = word.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, last.utf8.count > 1 else { return false }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return last.utf8.allSatisfy { letters.contains($0) }
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { letters.contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isIdeographicPunctuation(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return (0x3000...0x303f).contains(first.value) || (0xff00...0xff0f).contains(first.value)
      || (0xff1a...0xff20).contains(first.value)
  }
}

/// The properties of scripts that determine word boundaries (UAX #29 §4, for words without spaces).
enum WritingSystem {
  /// Returns whether a character belongs to a script without spaces between words. Hangul counts as one: it has spaces, but particles are
  /// attached to words.
  static func isUnspaced(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return isUnspaced(first)
  }

  /// Returns whether the character is part of a word that is delimited by spaces or punctuation.
  static func isPartOfSpacedWord(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, !isUnspaced(first) else { return false }
    return character.isLetter || character.isNumber || character == "_"
  }

  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Scripts below Thai all use spaces, and most text needs no further test.
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

extension String {
  /// A form in which strings that differ only in letter case are equal; for comparison, not for display.
  ///
  /// Upper case is applied first, so that both small sigmas, and `ß` and `ss`, become equal. No locale is used.
  var caseFolded: String { uppercased().lowercased() }
}
