package import Platform

/// A search query that a user typed.
///
/// A post must contain all terms. `"a phrase"` requires adjacent words, `-word` and `-"a phrase"` exclude posts, and `word*` matches a
/// prefix. `one OR two` requires either term and binds more tightly than the space between terms. `@name` searches only authors'
/// names. Punctuation, letter case and the accents of Latin letters are ignored.
package struct SearchQuery: Sendable, Hashable {
  static let lengthLimit = 1000
  static let termLimit = 50

  /// Groups of terms. A post must contain at least one term of each group.
  package let groups: [[SearchTerm]]
  package let excluded: [SearchTerm]

  /// - Parameter text: at most ``lengthLimit`` characters and ``termLimit`` terms.
  package init(_ text: String) throws(SearchQueryError) {
    if text.unicodeScalars.count > Self.lengthLimit { throw .tooLong(limit: Self.lengthLimit) }
    var scanner = SearchQueryScanner(text)
    var terms = Terms()
    while let piece = try scanner.next() { try terms.take(piece) }
    (groups, excluded) = try terms.checked()
  }

  /// The terms collected so far.
  private struct Terms {
    /// A post must contain at least one term of each group.
    private var groups: [[SearchTerm]] = []
    private var excluded: [SearchTerm] = []
    /// The position of an OR whose second operand has not been read yet.
    private var alternative: Int?
    private var followsWanted = false

    mutating func take(_ piece: SearchQueryScanner.Piece) throws(SearchQueryError) {
      switch piece {
      case .wanted(let term):
        if alternative == nil { groups.append([term]) } else { groups[groups.count - 1].append(term) }
        alternative = nil
        followsWanted = true
      case .excluded(let term):
        if let alternative { throw .misplacedOr(at: alternative) }
        excluded.append(term)
        followsWanted = false
      case .alternative(let place):
        guard followsWanted else { throw .misplacedOr(at: place) }
        alternative = place
        followsWanted = false
      }
      if groups.reduce(excluded.count, { $0 + $1.count }) > SearchQuery.termLimit {
        throw .tooManyTerms(limit: SearchQuery.termLimit)
      }
    }

    func checked() throws(SearchQueryError) -> ([[SearchTerm]], excluded: [SearchTerm]) {
      if let alternative { throw .misplacedOr(at: alternative) }
      if groups.isEmpty { throw excluded.isEmpty ? .noTerm : .onlyExcludedTerms }
      return (groups, excluded)
    }
  }
}

/// A word or phrase of a query.
package struct SearchTerm: Sendable, Hashable {
  /// The text to search for, as ``SearchText`` returns it, without control characters.
  package let text: String
  package let isPrefix: Bool
  /// Whether only authors' names are searched.
  package let isAuthor: Bool

  /// Creates a term; `nil` if the text contains no word.
  package init?(_ plain: String, isPrefix: Bool, isAuthor: Bool) {
    // A NUL would end the store's expression inside its quotation marks.
    let printable = plain.map { $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 }
    guard let queryText = SearchText.queryText(String(printable)) else { return nil }
    text = queryText.text
    self.isPrefix = isPrefix || queryText.isPrefix
    self.isAuthor = isAuthor
  }
}

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

  /// Returns whether this is the straight quotation mark, or one that keyboards insert in its place.
  private static func isQuotation(_ character: Character) -> Bool { "\"“”„＂".contains(character) }
}

/// A query that cannot be run. Positions count characters from 1.
package enum SearchQueryError: UserFacingError, Hashable {
  /// The query contains no word.
  case noTerm
  /// All terms are excluded.
  case onlyExcludedTerms
  case openQuotation(at: Int)
  /// An OR at the beginning or end, after another OR, or next to an excluded term.
  case misplacedOr(at: Int)
  case tooLong(limit: Int)
  case tooManyTerms(limit: Int)

  package var exitCode: ExitCode { .usage }

  package var message: String {
    switch self {
    case .noTerm: "the query does not contain any words: enter at least one"
    case .onlyExcludedTerms: "all terms are excluded: enter at least one that is not excluded"
    case .openQuotation(let place): "the quotation mark at character \(place) is not closed"
    case .misplacedOr(let place):
      "OR at character \(place) needs a term on both sides that is not excluded; to search for the word itself, put it in quotation marks"
    case .tooLong(let limit): "the query is longer than \(limit) characters"
    case .tooManyTerms(let limit): "the query has more than \(limit) terms"
    }
  }
}
