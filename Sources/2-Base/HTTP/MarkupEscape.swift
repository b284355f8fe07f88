/// Escapes text for HTML and XML, between tags or in a quoted attribute. Pango markup, as in status bars, has the same references.
///
/// Each scalar is escaped individually: a `<` followed by a combining mark is still a `<`. HTML 4 and old versions of Pango lack `&apos;`.
enum MarkupEscape {
  /// Appends the text with the five special characters replaced by references, and without characters that XML does not allow.
  static func append(_ text: String, to output: inout [UInt8]) {
    let bytes = text.utf8.span
    var index = 0
    while true {
      // Most text contains no special character. The bytes between two of them are copied together.
      let start = index
      while index < bytes.count, isPlain(bytes[index]) { index += 1 }
      unsafe bytes.withUnsafeBufferPointer {
        unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<index]))
      }
      if index == bytes.count { return }
      index += appendSpecial(at: index, of: bytes, to: &output)
    }
  }

  /// Returns whether a byte is written as it is. U+FFFE and U+FFFF, which XML does not allow, begin with EF.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0xef: false
    case 0x09, 0x0a, 0x0d: true
    default: byte >= 0x20
    }
  }

  /// Appends the replacement of the scalar at an index.
  /// - Returns: the number of bytes that the scalar has.
  private static func appendSpecial(at index: Int, of bytes: Span<UInt8>, to output: inout [UInt8]) -> Int {
    switch bytes[index] {
    case UInt8(ascii: "&"): output += "&amp;".utf8
    case UInt8(ascii: "<"): output += "&lt;".utf8
    case UInt8(ascii: ">"): output += "&gt;".utf8
    case UInt8(ascii: "\""): output += "&quot;".utf8
    case UInt8(ascii: "'"): output += "&#39;".utf8
    case 0xef:
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      if bytes[index + 1] != 0xbf || bytes[index + 2] < 0xbe {
        output += [0xef, bytes[index + 1], bytes[index + 2]]
      }
      return 3
    // A control character.
    default: break
    }
    return 1
  }
}
