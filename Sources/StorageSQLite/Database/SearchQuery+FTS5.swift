internal import Storage

extension SearchQuery {
  /// The query as FTS5 takes it (sqlite.org/fts5.html#full_text_query_syntax); whatever the user typed stands in quotes in it.
  var expression: String {
    let wanted = groups.map(Self.either).joined(separator: " AND ")
    return excluded.isEmpty ? wanted : "(\(wanted)) NOT \(Self.either(excluded))"
  }

  private static func either(_ terms: [SearchTerm]) -> String {
    "(\(terms.map(\.expression).joined(separator: " OR ")))"
  }
}

extension SearchTerm {
  /// The term as FTS5 takes it (sqlite.org/fts5.html#fts5_strings): a string in quotes, of which nothing is syntax.
  var expression: String {
    let quoted = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    return "\(isAuthor ? "author : " : "")\"\(quoted)\"\(isPrefix ? " *" : "")"
  }
}
