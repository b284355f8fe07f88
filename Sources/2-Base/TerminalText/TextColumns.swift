/// The width of plain text on a terminal, in columns.
package enum TextColumns {
  package static func of(_ text: String) -> Int { text.reduce(0) { $0 + CharacterColumns.of($1) } }

  /// Returns the text with spaces after it, so that it has at least the given width.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  /// Returns the longest prefix that has at most the given width.
  static func prefix(of text: String, columns: Int) -> Substring {
    var width = 0
    return text.prefix { character in
      width += CharacterColumns.of(character)
      return width <= columns
    }
  }
}
