/// One line of text from elsewhere, as it stands in the page.
enum PageText {
  /// Fit for an attribute, or for the page's title: one line without control and direction characters.
  static func line(_ text: String) -> String { MarkupEscape.text(SafeText.line(of: text)) }

  /// Fit to stand beside other text: its direction of writing ends where it ends (HTML Standard §4.5.24).
  static func isolated(_ text: String) -> String { "<bdi>\(line(text))</bdi>" }
}
