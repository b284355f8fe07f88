/// Base64 with padding and without line breaks (RFC 4648 §4).
package enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  package static func encode(_ bytes: [UInt8]) -> String {
    var text = ByteBuffer(capacity: count(of: bytes.count))
    text.append(atMost: count(of: bytes.count)) { write(bytes.span, to: &$0) }
    return unsafe String(decoding: text.contents, as: UTF8.self)
  }

  /// Returns the length of the encoded text: four characters for every three bytes, rounded up.
  static func count(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  static func write(_ bytes: Span<UInt8>, to cursor: inout ByteCursor) {
    let letters = unsafe alphabet.utf8Start
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let first = UInt32(bytes[index])
      let second = rest > 1 ? UInt32(bytes[index + 1]) : 0
      let third = rest > 2 ? UInt32(bytes[index + 2]) : 0
      let group = first << 16 | second << 8 | third
      unsafe cursor.put(letters[Int(group >> 18)])
      unsafe cursor.put(letters[Int(group >> 12 & 63)])
      cursor.put(rest > 1 ? unsafe letters[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      cursor.put(rest > 2 ? unsafe letters[Int(group & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5).
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Encodes bytes, four characters for every three bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var buffer = 0
    var bits = 0
    for byte in bytes {
      buffer = (buffer << 8 | Int(byte)) & 0xffff
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[buffer >> bits & 63])
      }
    }
    if bits > 0 { text.append(alphabet[buffer << (6 - bits) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a string.
  ///
  /// - Returns: the bytes; nil if the string contains a character outside the alphabet, or ends in a way that the encoder never produces.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = 0
    var bits = 0
    for letter in text.utf8 {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      buffer = (buffer << 6 | value) & 0xffff
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    guard bits < 6, buffer & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  /// Converts a string from the standard alphabet to the URL-safe one, and removes the padding.
  package static func converting(_ text: String) -> String {
    String(
      decoding: text.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
      }, as: UTF8.self)
  }
}
