/// Splits a query into words, phrases and ORs.
struct SearchQueryScanner {
  enum Piece: Equatable {
    case wanted(SearchTerm)
    case excluded(SearchTerm)
    case alternative(at: Int)
  }

  private let characters: [Character]
  private var offset = 0

  init(_ query: String) { characters = Array(query) }

  /// Skips text that contains no word, and returns the next token.
  /// - Returns: `nil` at the end.
  /// - Throws: `.openQuotation`.
  mutating func next() throws(SearchQueryError) -> Piece? {
    while let character = current {
      if character.isWhitespace {
        offset += 1
        continue
      }
      if let piece = try piece() { return piece }
    }
    return nil
  }

  private var current: Character? { offset < characters.count ? characters[offset] : nil }

  private mutating func piece() throws(SearchQueryError) -> Piece? {
    let start = offset
    let isExcluded = take("-")
    let isAuthor = take("@")
    if let character = current, Self.isQuotation(character) {
      let phrase = try phrase()
      let isPrefix = take("*")
      return Self.piece(SearchTerm(phrase, isPrefix: isPrefix, isAuthor: isAuthor), isExcluded: isExcluded)
    }
    let word = word()
    if word == "OR", !isExcluded, !isAuthor { return .alternative(at: start + 1) }
    return Self.piece(
      SearchTerm(word, isPrefix: word.hasSuffix("*"), isAuthor: isAuthor), isExcluded: isExcluded)
  }

  private static func piece(_ term: SearchTerm?, isExcluded: Bool) -> Piece? {
    term.map { isExcluded ? .excluded($0) : .wanted($0) }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard current == character else { return false }
    offset += 1
    return true
  }

  /// Reads the text up to the closing quotation mark.
  private mutating func phrase() throws(SearchQueryError) -> String {
    let start = offset + 1
    guard let end = characters[start...].firstIndex(where: Self.isQuotation) else {
      throw .openQuotation(at: start)
    }
    offset = end + 1
    return String(characters[start..<end])
  }

  private mutating func word() -> String {
    let start = offset
    while let character = current, !character.isWhitespace, !Self.isQuotation(character) { offset += 1 }
    return String(characters[start..<offset])
  }

  /// Returns whether this is the straight quotation mark, or a mark that keyboards insert in its place.
  private static func isQuotation(_ character: Character) -> Bool { "\"“”„＂".contains(character) }
}
