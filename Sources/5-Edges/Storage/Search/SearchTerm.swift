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
