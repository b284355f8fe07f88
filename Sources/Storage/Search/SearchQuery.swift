/// What a user looks for, in the words of a search field.
///
/// All words are wanted. `"a phrase"` stands together, `-word` and `-"a phrase"` exclude, `word*` is the beginning of one, `one OR two`
/// wants either and binds closer than the space between words, `@name` is looked for among the names of authors alone. Signs mean
/// nothing; letter case and accents are left aside.
package struct SearchQuery: Sendable, Hashable {
  package static let lengthLimit = 1000
  package static let termLimit = 50

  /// One term of each group is wanted.
  package let groups: [[SearchTerm]]
  package let excluded: [SearchTerm]

  /// - Parameter text: of at most ``lengthLimit`` characters and ``termLimit`` words and phrases.
  package init(_ text: String) throws(SearchQueryError) {
    if text.unicodeScalars.count > Self.lengthLimit { throw .tooLong(limit: Self.lengthLimit) }
    var scanner = SearchQueryScanner(text)
    var terms = Terms()
    while let piece = try scanner.next() { try terms.take(piece) }
    (groups, excluded) = try terms.checked()
  }

  /// The terms as they come.
  private struct Terms {
    /// One of each group is wanted.
    private var groups: [[SearchTerm]] = []
    private var excluded: [SearchTerm] = []
    /// Where the OR stands whose second side is to come.
    private var alternative: Int?
    private var followsWanted = false

    mutating func take(_ piece: SearchQueryScanner.Piece) throws(SearchQueryError) {
      switch piece {
      case .wanted(let term):
        if alternative == nil { groups.append([term]) } else { groups[groups.count - 1].append(term) }
        alternative = nil
        followsWanted = true
      case .excluded(let term):
        if let alternative { throw .loneAlternative(at: alternative) }
        excluded.append(term)
        followsWanted = false
      case .alternative(let place):
        guard followsWanted else { throw .loneAlternative(at: place) }
        alternative = place
        followsWanted = false
      }
      if groups.reduce(excluded.count, { $0 + $1.count }) > SearchQuery.termLimit {
        throw .tooManyTerms(limit: SearchQuery.termLimit)
      }
    }

    func checked() throws(SearchQueryError) -> ([[SearchTerm]], excluded: [SearchTerm]) {
      if let alternative { throw .loneAlternative(at: alternative) }
      if groups.isEmpty { throw excluded.isEmpty ? .nothingSought : .onlyExcluded }
      return (groups, excluded)
    }
  }
}

/// A word or a phrase of a query.
package struct SearchTerm: Sendable, Hashable {
  /// What is looked for, as ``SearchText`` gives it: never with a control character.
  package let text: String
  package let isPrefix: Bool
  /// Whether it is looked for among names alone.
  package let isAuthor: Bool

  /// - Returns: `nil` where the text has no word.
  package init?(_ plain: String, isPrefix: Bool, isAuthor: Bool) {
    // Zero would end the expression of a store, in the midst of its quotation marks.
    let printable = plain.map { $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 }
    guard let sought = SearchText.sought(String(printable)) else { return nil }
    text = sought.text
    self.isPrefix = isPrefix || sought.isPrefix
    self.isAuthor = isAuthor
  }
}

/// Cuts a query into its words, phrases and ORs.
struct SearchQueryScanner {
  enum Piece: Equatable {
    case wanted(SearchTerm)
    case excluded(SearchTerm)
    case alternative(at: Int)
  }

  private let characters: [Character]
  private var offset = 0

  init(_ query: String) { characters = Array(query) }

  /// - Throws: `.openQuotation`.
  /// - Returns: the next piece; `nil` at the end. What has no word in it is left out.
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

  /// What stands between two quotation marks.
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

  /// The straight one, and those that keyboards put in its place.
  private static func isQuotation(_ character: Character) -> Bool { "\"“”„＂".contains(character) }
}

/// Why a query cannot be asked. Places are characters from 1.
package enum SearchQueryError: Error, Hashable, CustomStringConvertible {
  /// It has no word, only signs or nothing.
  case nothingSought
  /// All words of it are excluded.
  case onlyExcluded
  case openQuotation(at: Int)
  /// An OR at the beginning or the end, after another one, or beside an excluded word.
  case loneAlternative(at: Int)
  case tooLong(limit: Int)
  case tooManyTerms(limit: Int)

  package var description: String {
    switch self {
    case .nothingSought: "nothing to search for: give a word"
    case .onlyExcluded: "only excluded words: give one that is wanted too"
    case .openQuotation(let place): "a quotation mark at character \(place) is not closed"
    case .loneAlternative(let place):
      "OR at character \(place) needs a word on both sides, and neither excluded; the word itself is searched for in quotation marks"
    case .tooLong(let limit): "the query is longer than \(limit) characters"
    case .tooManyTerms(let limit): "the query has more than \(limit) words and phrases"
    }
  }
}
