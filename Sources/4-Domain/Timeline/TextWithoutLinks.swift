/// Prepares text from several services for comparison by removing the parts that the services add.
enum TextWithoutLinks {
  /// Returns the text with its case folded, and without whitespace, links and a final ellipsis.
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

extension String {
  /// A form that is equal for strings that differ only in case; for comparison, not for display.
  ///
  /// Upper case is applied first, so that both small sigmas, and `ß` and `ss`, become equal. No locale is used.
  var caseFolded: String { uppercased().lowercased() }
}
