/// A text in one line of bounded length, for titles and bars.
enum ShortLine {
  /// The scalars that are kept of a character. No emoji has more (a family with skin tones has 11), and accents by the thousand are
  /// nobody's language.
  private static let longestCharacter = 16

  /// The text through `SafeText`, each stretch of white space a space, cut between characters. What markup cannot hold is left out
  /// here already: what is not empty must not become so when it is escaped.
  /// - Parameter characters: how many there are at most, the `…` of a cut text among them.
  static func of(_ text: String, characters: Int) -> String {
    precondition(characters > 0, "there is no room for the cut")
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
