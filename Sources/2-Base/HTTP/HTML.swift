/// Escapes text for HTML pages.
package enum HTML {
  /// Escapes text for element content and quoted attributes (HTML Standard, "Serializing HTML fragments").
  package static func escaped(_ text: String) -> String {
    // Most text needs no escaping. All escaped characters are ASCII, so bytes can be compared.
    if text.allBytes({ !isEscaped($0) }) { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "'")
  }
}
