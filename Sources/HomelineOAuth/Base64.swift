/// Base64 with padding and without line breaks (RFC 4648 §4).
enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  static func encode(_ bytes: [UInt8]) -> String {
    var text = ByteBuffer(capacity: count(of: bytes.count))
    text.append(atMost: count(of: bytes.count)) { write(bytes.span, to: &$0) }
    return unsafe String(decoding: text.contents, as: UTF8.self)
  }

  /// How many letters some bytes become: four for each three begun.
  static func count(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  static func write(_ bytes: Span<UInt8>, to place: inout BytePlace) {
    let letters = unsafe alphabet.utf8Start
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let first = UInt32(bytes[index])
      let second = rest > 1 ? UInt32(bytes[index + 1]) : 0
      let third = rest > 2 ? UInt32(bytes[index + 2]) : 0
      let group = first << 16 | second << 8 | third
      unsafe place.put(letters[Int(group >> 18)])
      unsafe place.put(letters[Int(group >> 12 & 63)])
      place.put(rest > 1 ? unsafe letters[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      place.put(rest > 2 ? unsafe letters[Int(group & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }
}
