package import HTTP

/// Converts a post's plain text to HTML: escaped, with its line breaks, and with links for web addresses.
///
/// The text passes through `SafeText` first. `<bdi>` would not be enough: a U+2069 in the text ends the isolation, and feed readers drop
/// the element.
package enum LinkedText {
  /// Returns phrasing content, which is allowed in `<p>`. Its only elements are `<a>` and `<br>`.
  package static func html(of text: String) -> Markup {
    SafeText.lines(of: text).lazy.map(line).joined(separator: "<br>")
  }

  /// Returns a link whose text differs from its address.
  static func anchor(to link: WebLink, _ text: String) -> Markup {
    "<a href=\"\(link.text)\" rel=\"noopener noreferrer nofollow\">\(text)</a>"
  }

  private static func line(_ line: String) -> Markup {
    let bytes = line.utf8.span
    var html = Markup()
    var plainStart = 0
    var index = 0
    while let address = AddressFinder.next(from: index, in: bytes) {
      let text = UTF8Text.text(address, of: bytes)
      if let link = WebLink(text) {
        html += Markup(escaping: UTF8Text.text(plainStart..<address.lowerBound, of: bytes)) + anchor(to: link, text)
        plainStart = address.upperBound
      }
      index = address.upperBound
    }
    if plainStart == 0 { return Markup(escaping: line) }
    return html + Markup(escaping: UTF8Text.text(plainStart..<bytes.count, of: bytes))
  }
}
