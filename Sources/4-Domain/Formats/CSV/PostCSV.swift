package import Time
package import Timeline

/// Posts as comma-separated values, for spreadsheets.
package enum PostCSV {
  /// The header line, which names the columns.
  package static let header = CSVLine.text([
    "id", "created_at", "author", "name", "text", "url", "language", "reposted_by", "in_reply_to", "replies", "reposts",
    "likes", "edited_at", "deleted_at",
  ])

  package static func line(of post: Post) -> String {
    CSVLine.text([
      post.id.text, post.createdAt.rfc3339, post.author.screenName, post.author.name, post.text, post.url,
      post.language,
      post.repostedBy?.screenName, post.inReplyTo?.id.text, post.counts.replies.map(String.init),
      post.counts.reposts.map(String.init), post.counts.likes.map(String.init), post.editedAt?.rfc3339, nil,
    ])
  }

  /// Returns the line for a post that was deleted or cannot be read. Its other cells are empty.
  package static func line(ofDeleted id: PostID, createdAt: Timestamp, deletedAt: Timestamp?) -> String {
    let none = [String?](repeating: nil, count: 11)
    return CSVLine.text([id.text, createdAt.rfc3339] + none + [deletedAt?.rfc3339])
  }
}

/// A line of comma-separated values (RFC 4180).
package enum CSVLine {
  /// Returns the cells separated by commas, followed by CRLF.
  ///
  /// Posts are written by strangers, so a cell whose first visible code point is `=`, `+`, `-` or `@` is prefixed with an apostrophe;
  /// otherwise, a spreadsheet would evaluate it as a formula. No cell contains terminal control sequences.
  static func text(_ cells: [String?]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

  private static let operators: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  /// Whether this code point at the beginning of a cell decides if the cell is a formula. Spreadsheets compare code points, and ignore
  /// invisible ones.
  private static func isDeciding(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark, .spacingMark,
      .enclosingMark:
      false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func cell(_ text: String?) -> String {
    guard let text else { return "" }
    var safe = SafeText.lines(of: text).joined(separator: "\n")
    if safe.unicodeScalars.first(where: isDeciding).map({ operators.contains($0) }) ?? false { safe = "'" + safe }
    let isPlain = !safe.contains { $0 == "\"" || $0 == "," || $0.isNewline || $0.isWhitespace && $0 != " " }
    if isPlain, safe.first != " ", safe.last != " " { return safe }
    return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
