/// Escapes text for XML, HTML and Pango markup, for use between tags or in a quoted attribute.
///
/// Each scalar is escaped individually: a `<` followed by a combining mark is still a `<`.
package enum MarkupEscape {
  /// Returns the text with the five special characters replaced by references, and without characters that XML does not allow.
  ///
  /// All three languages support these references. HTML 4 and old versions of Pango lack `&apos;`.
  package static func text(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      case "'": escaped += "&#39;".unicodeScalars
      case _ where !isAllowed(scalar): continue
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Returns whether XML allows the scalar, that is, whether it is a `Char` (XML 1.0 §2.2). XML also forbids surrogates, but these cannot
  /// occur in a `String`.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d: true
    case ..<0x20, 0xfffe, 0xffff: false
    default: true
    }
  }
}

/// Converts a post's plain text to HTML: escaped, with its line breaks, and with links for web addresses.
///
/// The text passes through `SafeText` first. `<bdi>` would not be sufficient: a U+2069 in the text ends the isolation, and feed readers
/// drop the element.
enum LinkedText {
  /// Returns phrasing content, which is allowed in `<p>`. Its only elements are `<a>` and `<br>`.
  static func html(of text: String) -> String {
    SafeText.lines(of: text).map(line).joined(separator: "<br>")
  }

  /// Returns a link with its own text, which is escaped here.
  static func anchor(to link: WebLink, _ text: String) -> String {
    let rel = "noopener noreferrer nofollow"
    return "<a href=\"\(MarkupEscape.text(link.text))\" rel=\"\(rel)\">\(MarkupEscape.text(text))</a>"
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
