internal import Storage

extension SearchQuery {
  /// The query in FTS5 syntax (sqlite.org/fts5.html#full_text_query_syntax). All text from the user is quoted.
  var expression: String {
    let wanted = groups.map(Self.either).joined(separator: " AND ")
    return excluded.isEmpty ? wanted : "(\(wanted)) NOT \(Self.either(excluded))"
  }

  private static func either(_ terms: [SearchTerm]) -> String {
    "(\(terms.map(\.expression).joined(separator: " OR ")))"
  }
}

extension SearchTerm {
  /// The term as a quoted FTS5 string (sqlite.org/fts5.html#fts5_strings), so that no character has a syntactic meaning.
  var expression: String {
    let quoted = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    return "\(isAuthor ? "author : " : "")\"\(quoted)\"\(isPrefix ? " *" : "")"
  }
}
