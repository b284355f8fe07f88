/// The plain text of a post as HTML: escaped, its line breaks kept, its web addresses made links.
///
/// The text passes `SafeText` first. `<bdi>` would not do in place of that: U+2069 in a text ends the isolation that `<bdi>` stands
/// for, and feed readers drop the element.
enum LinkedText {
  /// Phrasing content: may stand in `<p>`, and holds no elements but `<a>` and `<br>`.
  static func html(of text: String) -> String {
    SafeText.lines(of: text).map(line).joined(separator: "<br>")
  }

  /// A link whose words are its own; escaped here.
  static func anchor(to link: WebLink, _ words: String) -> String {
    let rel = "noopener noreferrer nofollow"
    return "<a href=\"\(MarkupEscape.text(link.text))\" rel=\"\(rel)\">\(MarkupEscape.text(words))</a>"
  }

  private static func line(_ line: String) -> String {
    let scalars = Array(line.unicodeScalars)
    var html = ""
    var plainStart = 0
    var index = 0
    while index < scalars.count {
      guard let end = AddressFinder.end(ofAddressFrom: index, in: scalars) else {
        index += 1
        continue
      }
      let address = text(scalars[index..<end])
      if let link = WebLink(address) {
        html += MarkupEscape.text(text(scalars[plainStart..<index])) + anchor(to: link, address)
        plainStart = end
      }
      index = end
    }
    return html + MarkupEscape.text(text(scalars[plainStart...]))
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
