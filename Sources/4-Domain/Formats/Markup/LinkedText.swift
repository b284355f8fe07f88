package import HTTP

/// Converts a post's plain text to HTML: escaped, with its line breaks, and with links for web addresses.
///
/// The text passes through `SafeText` first. `<bdi>` would not be enough: a U+2069 in the text ends the isolation, and feed readers drop
/// the element.
package enum LinkedText {
  /// Returns phrasing content, which is allowed in `<p>`. Its only elements are `<a>` and `<br>`.
  package static func html(of text: String) -> Markup {
    SafeText.lines(of: text).lazy.map { line($0) { Markup(escaping: $0) } }.joined(separator: "<br>")
  }

  /// Returns the same with the characters in these scalar ranges of the text in `mark` elements.
  static func html(of text: String, marking ranges: [Range<Int>]) -> Markup {
    SafeText.lines(of: text, marking: ranges).map { line in
      var marker = LineMarker(line)
      return self.line(line.text) { marker.next($0) }
    }.joined(separator: "<br>")
  }

  /// Returns a link whose text differs from its address.
  static func anchor(to link: WebLink, _ text: String) -> Markup { anchor(to: link, Markup(escaping: text)) }

  private static func anchor(to link: WebLink, _ text: Markup) -> Markup {
    "<a href=\"\(link.text)\" rel=\"noopener noreferrer nofollow\">\(text)</a>"
  }

  /// - Parameter shown: returns the HTML of each piece of the line, in order.
  private static func line(_ line: String, _ shown: (String) -> Markup) -> Markup {
    let bytes = line.utf8.span
    var html = Markup()
    var plainStart = 0
    var index = 0
    while let address = AddressFinder.next(from: index, in: bytes) {
      let text = UTF8Text.text(address, of: bytes)
      if let link = WebLink(text) {
        html += shown(UTF8Text.text(plainStart..<address.lowerBound, of: bytes)) + anchor(to: link, shown(text))
        plainStart = address.upperBound
      }
      index = address.upperBound
    }
    if plainStart == 0 { return shown(line) }
    return html + shown(UTF8Text.text(plainStart..<bytes.count, of: bytes))
  }
}
