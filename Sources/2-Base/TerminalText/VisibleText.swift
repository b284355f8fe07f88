/// Text without characters that control a terminal or reorder other text.
package enum VisibleText {
  /// Returns the text with these characters escaped as `\u{…}`: control characters (C0, DEL, C1), line and paragraph separators, and the
  /// bidirectional embeddings, overrides and isolates from UAX #9 §2. Line feeds and tabs are kept.
  package static func of(_ text: String) -> String {
    // In UTF-8, these characters begin with a C0 byte, DEL, C2 or E2. Most text contains none of these bytes and is not copied.
    if isVisible(text.utf8.span) { return text }
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0a, 0x09: visible.append(scalar)
      case ..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069:
        visible += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }
  /// A span is several times as fast as the view's iterator.
  private static func isVisible(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte == 0x0a || byte == 0x09 || byte >= 0x20 && byte != 0x7f && byte != 0xc2 && byte != 0xe2 else {
        return false
      }
    }
    return true
  }
}
