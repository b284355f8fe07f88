/// Looks for any of several words or phrases in texts, letter case and the kind of white space left aside.
///
/// Made once and asked for each text: the time is that of reading the text, however many the phrases are.
struct PhraseFinder: Sendable {
  /// Each character that stands in a phrase has a number: comparing characters, which may be written in several ways, is
  /// dear.
  private var numbers: [Character: Int] = [:]
  /// The phrases by their first character's number.
  private var phrases: [Int: [Phrase]] = [:]

  private struct Phrase {
    let characters: [Int]
    /// Whether a word must not go on before, and behind it.
    let beginsWord: Bool
    let endsWord: Bool
  }

  /// - Parameter texts: one that is empty, or white space alone, is never found.
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
    // What stands in no phrase needs no number of its own.
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

  /// With one space for each run of white space, and none at the ends.
  private static func folded(_ text: String) -> [Character] {
    Array(text.caseFolded.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}
