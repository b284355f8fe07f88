/// Searches text for any of several words or phrases, ignoring case and the amount of whitespace.
///
/// The phrases are prepared once, so the time for a search does not depend on their number.
struct PhraseFinder: Sendable {
  /// A number for each character in the phrases. Comparing characters directly is slow, because they have several encodings.
  private var numbers: [Character: Int] = [:]
  /// The phrases by their first character's number.
  private var phrases: [Int: [Phrase]] = [:]

  private struct Phrase {
    let characters: [Int]
    /// Whether a word boundary must precede and follow the phrase.
    let beginsWord: Bool
    let endsWord: Bool
  }

  /// - Parameter texts: a phrase that is empty, or contains only whitespace, is never found.
  init(_ texts: [String]) {
    for text in texts {
      let folded = Self.folded(text)
      guard let first = folded.first, let last = folded.last else { continue }
      let characters = folded.map { number(of: $0) }
      phrases[characters[0], default: []].append(
        Phrase(
          characters: characters, beginsWord: WritingSystem.isPartOfSpacedWord(first),
          endsWord: WritingSystem.isPartOfSpacedWord(last)))
    }
  }

  func finds(in text: String) -> Bool {
    if phrases.isEmpty { return false }
    let folded = Self.folded(text)
    // Characters that are in no phrase share one number.
    let characters = folded.map { numbers[$0] ?? -1 }
    for start in characters.indices {
      for phrase in phrases[characters[start]] ?? [] {
        guard characters[start...].starts(with: phrase.characters) else { continue }
        let end = start + phrase.characters.count
        if phrase.beginsWord, start > 0, WritingSystem.isPartOfSpacedWord(folded[start - 1]) { continue }
        if phrase.endsWord, end < folded.count, WritingSystem.isPartOfSpacedWord(folded[end]) { continue }
        return true
      }
    }
    return false
  }

  private mutating func number(of character: Character) -> Int {
    if let number = numbers[character] { return number }
    numbers[character] = numbers.count
    return numbers.count - 1
  }

  /// Returns the text with single spaces between words and none at the ends.
  private static func folded(_ text: String) -> [Character] {
    Array(text.caseFolded.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}
