/// Converts a post's plain text to HTML: escaped, with its line breaks, and with links for web addresses.
///
/// The text passes through `SafeText` first. `<bdi>` would not be enough: a U+2069 in the text ends the isolation, and feed readers drop
/// the element.
enum LinkedText {
  /// Returns phrasing content, which is allowed in `<p>`. Its only elements are `<a>` and `<br>`.
  static func html(of text: String) -> String {
    SafeText.lines(of: text).map(line).joined(separator: "<br>")
  }

  /// Returns a link whose text differs from its address. The text is escaped.
  static func anchor(to link: WebLink, _ text: String) -> String {
    let rel = "noopener noreferrer nofollow"
    return "<a href=\"\(MarkupEscape.text(link.text))\" rel=\"\(rel)\">\(MarkupEscape.text(text))</a>"
  }

  private static func line(_ line: String) -> String {
    let bytes = line.utf8.span
    var html = ""
    var plainStart = 0
    var index = 0
    while let address = AddressFinder.next(from: index, in: bytes) {
      let text = UTF8Text.text(address, of: bytes)
      if let link = WebLink(text) {
        html += MarkupEscape.text(UTF8Text.text(plainStart..<address.lowerBound, of: bytes)) + anchor(to: link, text)
        plainStart = address.upperBound
      }
      index = address.upperBound
    }
    if plainStart == 0 { return MarkupEscape.text(line) }
    return html + MarkupEscape.text(UTF8Text.text(plainStart..<bytes.count, of: bytes))
  }
}
