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
