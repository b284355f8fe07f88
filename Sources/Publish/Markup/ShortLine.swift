/// Text on one line of limited length, for titles and bars.
enum ShortLine {
  /// The maximum number of scalars kept from one character. The longest emoji, a family with skin tones, has 11; longer sequences are
  /// stacked accents.
  private static let longestCharacter = 16

  /// Returns the text after `SafeText`, with each run of white space replaced by a space, and truncated between characters. Characters that
  /// XML does not allow are removed here, because later removal could make the line empty.
  /// - Parameter characters: the maximum number of characters, including the `…` of a truncated text.
  static func of(_ text: String, characters: Int) -> String {
    precondition(characters > 0, "a truncated line needs at least one character")
    let scalars = SafeText.line(of: text).unicodeScalars.filter(MarkupEscape.isAllowed)
    let line = String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isLonger = line.dropFirst(characters).first != nil
    let short = line.prefix(isLonger ? characters - 1 : characters).map(bounded).joined()
    return isLonger ? short + "…" : short
  }

  private static func bounded(_ character: Character) -> String {
    String(String.UnicodeScalarView(character.unicodeScalars.prefix(longestCharacter)))
  }
}
