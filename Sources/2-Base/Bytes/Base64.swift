/// Base64 with padding and without line breaks (RFC 4648 §4).
package enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  package static func encode(_ bytes: [UInt8]) -> String {
    let count = count(of: bytes.count)
    if count == 0 { return "" }
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      if let start = text.baseAddress { unsafe write(bytes.span, to: start) }
      return count
    }
  }

  /// Returns the length of the encoded text: four characters for every three bytes, rounded up.
  @inlinable package static func count(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  /// Writes the encoded text to memory for ``count(of:)`` characters. A closure for each character would triple the cost.
  package static func write(_ bytes: Span<UInt8>, to start: UnsafeMutablePointer<UInt8>) {
    let letters = unsafe alphabet.utf8Start
    var next = unsafe start
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let first = UInt32(bytes[index])
      let second = rest > 1 ? UInt32(bytes[index + 1]) : 0
      let third = rest > 2 ? UInt32(bytes[index + 2]) : 0
      let group = first << 16 | second << 8 | third
      unsafe next[0] = letters[Int(group >> 18)]
      unsafe next[1] = letters[Int(group >> 12 & 63)]
      unsafe next[2] = rest > 1 ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "=")
      unsafe next[3] = rest > 2 ? letters[Int(group & 63)] : UInt8(ascii: "=")
      unsafe next += 4
      index += 3
    }
  }
}
