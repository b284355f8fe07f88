package import Platform

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
