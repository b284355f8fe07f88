/// The width of text on a terminal, in columns.
extension StyledText {
  package var columns: Int { runs.reduce(0) { $0 + TextColumns.of($1.text) } }

  /// Returns the text cut to a width; a text that is cut ends with `…`.
  /// - Parameter columns: the maximum width, at least 1.
  package func cut(to columns: Int) -> StyledText {
    if self.columns <= columns { return self }
    var cut = StyledText()
    var space = columns - 1
    for run in runs {
      let part = TextColumns.prefix(of: run.text, columns: space)
      cut.append(part, run.style, target: run.target)
      space -= TextColumns.of(String(part))
      if part.endIndex < run.text.endIndex { break }
    }
    cut.append("…", cut.runs.last?.style ?? .plain)
    return cut
  }
}

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
