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
