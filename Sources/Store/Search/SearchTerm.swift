/// A word or a phrase of a query.
struct SearchTerm: Sendable, Hashable {
  /// What is looked for, as ``SearchText`` gives it: never with a control character.
  let text: String
  let isPrefix: Bool
  /// Whether it is looked for among names alone.
  let isAuthor: Bool

  /// - Returns: `nil` where the text has no word.
  init?(_ plain: String, isPrefix: Bool, isAuthor: Bool) {
    // Zero would end the expression for SQLite, in the midst of its quotation marks.
    let printable = plain.map { $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 }
    guard let sought = SearchText.sought(String(printable)) else { return nil }
    text = sought.text
    self.isPrefix = isPrefix || sought.isPrefix
    self.isAuthor = isAuthor
  }

  /// The term as FTS5 takes it (sqlite.org/fts5.html#fts5_strings): a string in quotes, of which nothing is syntax.
  var expression: String {
    let quoted = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    return "\(isAuthor ? "author : " : "")\"\(quoted)\"\(isPrefix ? " *" : "")"
  }
}
