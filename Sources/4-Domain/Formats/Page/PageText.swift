/// A line of external text for use in the page.
enum PageText {
  /// Returns one line without control and direction characters, for use in an attribute or the page's title.
  static func line(_ text: String) -> String { MarkupEscape.text(SafeText.line(of: text)) }

  /// Returns text whose writing direction does not affect the text around it (HTML Standard §4.5.24).
  static func isolated(_ text: String) -> String { "<bdi>\(line(text))</bdi>" }
}
