internal import Bytes

/// Decodes the HTML character references in messages (WHATWG HTML §13.5): numeric references and common named references.
enum CharacterReferences {
  /// The maximum length of a reference: `&#x0010ffff;`.
  private static let longest = 12

  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
    "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
  ]

  /// Decodes each reference once. Other text, such as a single `&`, is unchanged.
  static func decoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"),
        let end = bytes[index...].prefix(longest).firstIndex(of: UInt8(ascii: ";")),
        let character = character(bytes[(index + 1)..<end])
      {
        decoded += String(character).utf8
        index = end + 1
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Returns the character that a reference represents; nil for an unknown reference.
  /// - Parameter name: the text between `&` and `;`.
  private static func character(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard name.first == UInt8(ascii: "#") else { return named[String(decoding: name, as: UTF8.self)] }
    let number = name.dropFirst()
    let isHexadecimal = number.first.map { ASCII.lowercased($0) == UInt8(ascii: "x") } ?? false
    let digits = isHexadecimal ? number.dropFirst() : number
    guard digits.allSatisfy({ ASCII.hexValue($0) != nil }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10), value != 0
    else { return nil }
    return Unicode.Scalar(value)
  }
}
