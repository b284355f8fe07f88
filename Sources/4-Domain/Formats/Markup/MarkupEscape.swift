/// Escapes text for XML, HTML and Pango markup, for use between tags or in a quoted attribute.
///
/// Each scalar is escaped individually: a `<` followed by a combining mark is still a `<`.
package enum MarkupEscape {
  /// Returns the text with the five special characters replaced by references, and without characters that XML does not allow.
  ///
  /// All three languages support these references. HTML 4 and old versions of Pango lack `&apos;`.
  package static func text(_ text: String) -> String {
    ByteReplacement.text(text, plain: isPlain) { bytes, index, escaped in
      switch bytes[index] {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      case UInt8(ascii: "'"): escaped += "&#39;".utf8
      case 0xef: return appendUnlessForbidden(bytes, &index, &escaped)
      // A control character, which XML does not allow.
      default: break
      }
      index += 1
    }
  }

  /// Returns whether a byte is written as it is. U+FFFE and U+FFFF, which XML does not allow, begin with EF.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0xef: false
    case 0x09, 0x0a, 0x0d: true
    default: byte >= 0x20
    }
  }

  /// Appends a scalar whose UTF-8 begins with EF, unless it is U+FFFE or U+FFFF.
  private static func appendUnlessForbidden(_ bytes: Span<UInt8>, _ index: inout Int, _ escaped: inout [UInt8]) {
    if bytes[index + 1] != 0xbf || bytes[index + 2] < 0xbe {
      escaped += [0xef, bytes[index + 1], bytes[index + 2]]
    }
    index += 3
  }

  /// Returns text without U+FFFE and U+FFFF, the only characters that XML does not allow in text that has passed `SafeText`.
  static func allowed(_ safe: String) -> String {
    ByteReplacement.text(safe, plain: { $0 != 0xef }, appendUnlessForbidden)
  }
}
