/// A line of comma-separated values (RFC 4180).
package enum CSVLine {
  /// The cells with commas between them, and CRLF.
  ///
  /// A cell that a spreadsheet would carry out as a formula (it begins with `=`, `+`, `-` or `@`) gets an apostrophe in front, as one
  /// types it there oneself: a post is written by strangers. Nothing in a cell can drive a terminal.
  package static func text(_ cells: [String?]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

  private static func cell(_ text: String?) -> String {
    guard let text else { return "" }
    var safe = SafeText.lines(of: text).joined(separator: "\n")
    // Spreadsheets look behind the space.
    if let first = safe.first(where: { !$0.isWhitespace }), "=+-@＝＋－＠".contains(first) { safe = "'" + safe }
    let isPlain = !safe.contains { $0 == "\"" || $0 == "," || $0.isNewline || $0.isWhitespace && $0 != " " }
    if isPlain, safe.first != " ", safe.last != " " { return safe }
    return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
