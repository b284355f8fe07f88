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
