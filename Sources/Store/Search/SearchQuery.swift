/// What a user looks for, in the words of a search field.
///
/// All words are wanted. `"a phrase"` stands together, `-word` and `-"a phrase"` exclude, `word*` is the beginning of one, `one OR two`
/// wants either and binds closer than the space between words, `@name` is looked for among the names of authors alone. Signs mean
/// nothing; letter case and accents are left aside.
package struct SearchQuery: Sendable, Hashable {
  package static let lengthLimit = 1000
  package static let termLimit = 50

  /// The query as FTS5 takes it (sqlite.org/fts5.html#full_text_query_syntax); whatever the user typed stands in quotes in it.
  let expression: String

  /// - Parameter text: of at most ``lengthLimit`` characters and ``termLimit`` words and phrases.
  package init(_ text: String) throws(SearchQueryError) {
    if text.unicodeScalars.count > Self.lengthLimit { throw .tooLong(limit: Self.lengthLimit) }
    var scanner = SearchQueryScanner(text)
    var terms = Terms()
    while let piece = try scanner.next() { try terms.take(piece) }
    expression = try terms.expression()
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

    func expression() throws(SearchQueryError) -> String {
      if let alternative { throw .loneAlternative(at: alternative) }
      if groups.isEmpty { throw excluded.isEmpty ? .nothingSought : .onlyExcluded }
      let wanted = groups.map(Self.either).joined(separator: " AND ")
      return excluded.isEmpty ? wanted : "(\(wanted)) NOT \(Self.either(excluded))"
    }

    private static func either(_ terms: [SearchTerm]) -> String {
      "(\(terms.map(\.expression).joined(separator: " OR ")))"
    }
  }
}
