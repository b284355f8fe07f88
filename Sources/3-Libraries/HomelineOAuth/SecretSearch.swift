internal import Bytes

/// Finds a secret and its encoded forms in text.
struct SecretSearch {
  /// The minimum length, in bytes, of secrets to search for in any text and in base64.
  static let minimumLength = 8

  private let secret: [UInt8]
  /// The base64 characters that depend only on the secret, for each of the three possible offsets of the secret in a group of three bytes.
  private let encoded: [[UInt8]]

  init(_ secret: [UInt8]) {
    self.secret = secret
    encoded = secret.count < Self.minimumLength ? [] : (0..<3).map { Self.characters(of: secret, after: $0) }
  }

  /// Returns the range of each occurrence of the secret in the text.
  func ranges(in text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < text.count {
      guard let range = range(at: start, in: text) else {
        start += 1
        continue
      }
      ranges.append(range)
      start = max(range.upperBound, start + 1)
    }
    return ranges
  }

  private func range(at start: Int, in text: [UInt8]) -> Range<Int>? {
    if let end = Self.end(of: secret, at: start, in: text) ?? Self.end(ofEncoded: secret, at: start, in: text) {
      return isPartOfWord(start..<end, in: text) ? nil : start..<end
    }
    for characters in encoded {
      guard let end = Self.end(ofEncoded: characters, at: start, in: text, isBase64: true) else { continue }
      return Self.wholeEncodedRange(start..<end, in: text)
    }
    return nil
  }

  /// Extends a range in base64 by the neighbouring characters that contain the remaining bits of the secret, and by the padding.
  private static func wholeEncodedRange(_ range: Range<Int>, in text: [UInt8]) -> Range<Int> {
    var (begin, end) = (range.lowerBound, range.upperBound)
    while begin > 0, value(of: text[begin - 1]) != nil { begin -= 1 }
    while end < text.count {
      let escaped = escaped(at: end, in: text)
      let character = escaped ?? text[end]
      guard character == UInt8(ascii: "=") || value(of: character) != nil else { break }
      end += escaped == nil ? 1 : 3
    }
    return begin..<end
  }

  /// Returns whether a short secret in this range is only part of a longer word.
  private func isPartOfWord(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    guard secret.count < 4 else { return false }
    let before = text[..<range.lowerBound].last.map(ASCII.isAlphanumeric) ?? false
    let after = text[range.upperBound...].first.map(ASCII.isAlphanumeric) ?? false
    return before || after
  }

  /// Returns the end of the unencoded bytes at an offset; nil if the text does not contain them there.
  private static func end(of bytes: [UInt8], at start: Int, in text: [UInt8]) -> Int? {
    guard text.count - start >= bytes.count, text[start] == bytes[0] else { return nil }
    return text[start..<(start + bytes.count)].elementsEqual(bytes) ? start + bytes.count : nil
  }

  /// Returns the end of the bytes at an offset; nil if the text does not contain them there. Any of the bytes may be percent-encoded once
  /// or twice (RFC 3986 §2.1), and a space may be a `+`.
  /// - Parameter isBase64: whether the characters of both base64 alphabets are treated as equal.
  private static func end(ofEncoded bytes: [UInt8], at start: Int, in text: [UInt8], isBase64: Bool = false) -> Int? {
    var offset = start
    for byte in bytes {
      guard offset < text.count else { return nil }
      var (read, next) = (text[offset], offset + 1)
      if read == UInt8(ascii: "%"), var value = escaped(at: offset, in: text) {
        next = offset + 3
        if value == UInt8(ascii: "%"), let inner = hexadecimal(at: next, in: text) { (value, next) = (inner, next + 2) }
        read = value
      } else if read == UInt8(ascii: "+"), byte == UInt8(ascii: " ") {
        read = byte
      }
      let isSame = isBase64 ? Self.value(of: read) == Self.value(of: byte) : read == byte
      guard isSame else { return nil }
      offset = next
    }
    return offset
  }

  private static func escaped(at offset: Int, in text: [UInt8]) -> UInt8? {
    text[offset] == UInt8(ascii: "%") ? hexadecimal(at: offset + 1, in: text) : nil
  }

  private static func hexadecimal(at offset: Int, in text: [UInt8]) -> UInt8? {
    guard offset + 1 < text.count, let high = ASCII.hexValue(text[offset]), let low = ASCII.hexValue(text[offset + 1])
    else { return nil }
    return high << 4 | low
  }

  // MARK: Base64

  /// Returns the base64 characters that depend only on the secret.
  /// - Parameter before: the number of bytes before the secret in a group of three.
  private static func characters(of secret: [UInt8], after before: Int) -> [UInt8] {
    let characters = Array(Base64URL.encode([UInt8](repeating: 0, count: before) + secret).utf8)
    // A character has six bits. The first characters also depend on the bytes before the secret, and the last character on the bytes after
    // it.
    let first = before == 0 ? 0 : before + 1
    return Array(characters[first..<((before + secret.count) * 8 / 6)])
  }

  /// Returns the value of a character in either base64 alphabet (RFC 4648 §4, §5); nil for other characters.
  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
