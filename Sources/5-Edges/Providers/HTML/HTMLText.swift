/// Character references in text from Twitter's and Weibo's APIs: `&`, `<` and `>` are escaped; other servers escape more
/// characters.
enum HTMLText {
  /// Returns the text with each reference decoded once. Any other text, such as a lone `&`, is kept.
  static func decoded(_ text: String) -> String {
    let bytes = text.utf8.span
    for index in bytes.indices where bytes[index] == UInt8(ascii: "&") {
      return decoded(Array(text.utf8)) { index, bytes in reference(at: index, in: bytes[...]) }
    }
    return text
  }

  /// Decodes references by calling `reference`, which decodes the reference at an index and returns its end.
  static func decoded(
    _ bytes: [UInt8], by reference: (Int, [UInt8]) -> (character: Unicode.Scalar, end: Int)?
  ) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), let reference = reference(index, bytes) {
        decoded += String(reference.character).utf8
        index = reference.end
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Decodes a named XML reference (§4.6) or one such as `&#39;` or `&#x27;`, and returns the index of its end.
  static func reference(at start: Int, in bytes: ArraySlice<UInt8>) -> (character: Unicode.Scalar, end: Int)? {
    guard bytes[start] == UInt8(ascii: "&") else { return nil }
    // The longest is `&#x0010ffff;`; more leading zeros are not supported.
    guard let end = bytes[start...].prefix(14).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    guard let character = character(named: bytes[(start + 1)..<end]) else { return nil }
    return (character, end + 1)
  }

  private static func character(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.first == UInt8(ascii: "#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let number = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard !number.hasPrefix("+"), let value = UInt32(number, radix: isHexadecimal ? 16 : 10), value != 0 else {
      return nil
    }
    return Unicode.Scalar(value)
  }
}
