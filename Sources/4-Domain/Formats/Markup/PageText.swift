package import HTTP

/// A line of external text for use in a page.
package enum PageText {
  /// Returns one line without control and direction characters, for use in an attribute or the page's title.
  package static func line(_ text: String) -> Markup { Markup(escaping: SafeText.line(of: text)) }

  /// Returns text whose writing direction does not affect the text around it (HTML Standard §4.5.24).
  package static func isolated(_ text: String) -> Markup { "<bdi>\(SafeText.line(of: text))</bdi>" }
}
