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
