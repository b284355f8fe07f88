/// The width of text on a terminal, in columns.
extension StyledText {
  package var columns: Int { runs.reduce(0) { $0 + TextColumns.of($1.text) } }

  /// Returns the text cut to a width. If anything is cut off, the text ends with `…`.
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
