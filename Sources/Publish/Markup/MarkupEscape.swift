/// Text made fit to stand in XML, HTML or Pango markup: between tags, or in an attribute in quotes.
///
/// Each scalar is looked at by itself, for a combining mark behind a `<` does not make it less of one.
package enum MarkupEscape {
  /// The text with the five characters that mean something as references, and without those that XML cannot hold at all.
  ///
  /// The references are those that all three languages know: HTML 4 and Pango's oldest readers have no `&apos;`.
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

  /// Whether XML can hold it at all, as itself or as a reference: whether it is a `Char` (XML 1.0 §2.2). Surrogates are none either, and
  /// cannot be in a `String`.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d: true
    case ..<0x20, 0xfffe, 0xffff: false
    default: true
    }
  }
}

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
