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

  /// Escapes text that is shown in a line of its own. White space becomes spaces; other control characters, and those that change the
  /// direction of the text around them, are left out.
  package static func escapedLine(_ text: String) -> String {
    // Most text is printable ASCII. Appending each scalar would take half of a callback's instructions.
    if text.allBytes({ (0x20..<0x7f).contains($0) && !isEscaped($0) }) { return text }
    if text.allBytes({ (0x20..<0x7f).contains($0) }) { return escaped(text) }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d, 0x85, 0x2028, 0x2029: line.append(" ")
      // C0, DEL and C1; embeddings, overrides and isolates (UAX #9 §2).
      case ..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: break
      default: line.append(scalar)
      }
    }
    return escaped(String(line))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "'")
  }
}
