internal import Formats
package import Storage
package import Timeline

/// Finds the places in posts that a query matches. The posts are put into a temporary index with the tokenizer of the search index, so it
/// finds the same places as a search.
package enum MatchFinder {
  /// These mark the beginning and the end of a match. The indexed texts do not contain them: control characters are replaced there.
  private static let marks = (begin: Unicode.Scalar(2 as UInt8), end: Unicode.Scalar(3 as UInt8))

  /// Returns the places in each post that match a term of the query. Excluded terms do not count.
  package static func matches(of query: SearchQuery, in posts: [Post]) throws(StorageError) -> [PostMatches] {
    let connection = try SQLiteConnection(":memory:", .memory)
    defer { connection.close() }
    try connection.run(
      "CREATE VIRTUAL TABLE found USING fts5(text, author, tokenize=\"\(ArchiveTables.tokenizer)\")")
    let indexed = posts.map { IndexedPost($0) }
    for (row, post) in indexed.enumerated() {
      try connection.run(
        "INSERT INTO found (rowid, text, author) VALUES (?, ?, ?)",
        [.integer(Int64(row)), .text(withoutControls(post.text.text)), .text(withoutControls(post.author.text))])
    }
    var matches = posts.map { _ in PostMatches() }
    // An excluded term is in none of the posts.
    for term in Set(query.groups.joined()) {
      // sqlite.org/fts5.html#the_highlight_function
      try connection.run(
        "SELECT rowid, highlight(found, 0, ?1, ?2), highlight(found, 1, ?1, ?2) FROM found WHERE found MATCH ?3",
        [.text(String(Character(marks.begin))), .text(String(Character(marks.end))), .text(term.expression)]
      ) { row throws(StorageError) in
        let number = Int(row.rowID(0))
        for span in spans(in: row.text(1), of: term) { indexed[number].text.add(span, to: &matches[number]) }
        for span in spans(in: row.text(2), of: term) { indexed[number].author.add(span, to: &matches[number]) }
      }
    }
    return matches
  }

  /// Returns the text with control characters replaced by spaces, which also separate tokens.
  private static func withoutControls(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    var view = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { view.append(scalar.value < 0x20 ? " " : scalar) }
    return String(view)
  }

  /// Returns the ranges between the marks, as scalars of the text without the marks.
  private static func spans(in marked: String, of term: SearchTerm) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var start = 0
    var end = 0
    // The number of scalars of the last token so far.
    var length = 0
    for scalar in marked.unicodeScalars {
      switch scalar {
      case marks.begin: (start, length) = (end, 0)
      case marks.end: spans.append(start..<(term.endsInHalfPair && length > 1 ? end - 1 : end))
      default:
        end += 1
        length = scalar == " " ? 0 : length + 1
      }
    }
    return spans
  }
}
