/// Makes texts comparable that were published in several places: what each place adds or changes is left out.
enum TextWithoutLinks {
  /// The text without white space, letter case, links, and an ellipsis at its end.
  static func essence(of text: String) -> String {
    var essence = text.caseFolded.split(whereSeparator: \.isWhitespace).map(withoutLink).joined()
    while let last = essence.last, last == "…" || last == "." && essence.hasSuffix("...") {
      essence.removeLast(last == "…" ? 1 : 3)
    }
    return essence
  }

  /// A word without the addresses in it; in scripts without spaces text may go on behind one.
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

  /// Whether it is an address without its scheme, such as `t.co/abc`: labels, the last of letters alone, and a path.
  private static func beginsWithHost(_ word: Substring) -> Bool {
    // Nothing but a slash makes an address of a word, and most have none.
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

extension String {
  /// A form in which texts that differ in letter case alone are equal; for comparing, not for showing.
  ///
  /// By way of the upper case, so that the two small sigmas, and `ß` and `ss`, meet. No locale is asked.
  var caseFolded: String { uppercased().lowercased() }
}
