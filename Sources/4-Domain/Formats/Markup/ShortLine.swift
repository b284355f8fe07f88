/// Text on one line of limited length, for titles and bars.
enum ShortLine {
  /// The maximum number of scalars to keep from one character. The longest emoji, a family with skin tones, has 11; longer sequences are
  /// stacked accents.
  private static let longestCharacter = 16

  /// Returns the text after `SafeText`, with each run of white space replaced by a space, and truncated between characters. Characters that
  /// XML does not allow are removed first: removing them later could leave the line empty.
  /// - Parameter characters: the maximum number of characters, including the `…` that ends a truncated text.
  static func of(_ text: String, characters: Int) -> String {
    precondition(characters > 0, "a truncated line needs at least one character")
    let line = allowedInXML(SafeText.line(of: text))
    return ofASCII(line.utf8.span, characters) ?? of(line, characters)
  }

  /// Returns text without U+FFFE and U+FFFF, the only characters that XML does not allow in text that has passed `SafeText`.
  private static func allowedInXML(_ safe: String) -> String {
    ByteReplacement.text(safe, plain: { $0 != 0xef }) { bytes, index, allowed in
      if bytes[index + 1] != 0xbf || bytes[index + 2] < 0xbe { allowed += [0xef, bytes[index + 1], bytes[index + 2]] }
      index += 3
    }
  }

  /// Does the same for ASCII text, where each byte is a character. Dividing a `String` into characters takes about 100
  /// instructions for each.
  /// - Returns: `nil` for other texts.
  private static func ofASCII(_ line: Span<UInt8>, _ characters: Int) -> String? {
    var short: [UInt8] = []
    short.reserveCapacity(min(line.count, characters) + 2)
    var isAfterSpace = false
    var isLonger = false
    for index in line.indices {
      let byte = line[index]
      if byte >= 0x80 { return nil }
      if isLonger { continue }
      if byte == UInt8(ascii: " ") {
        isAfterSpace = !short.isEmpty
        continue
      }
      if isAfterSpace { short.append(UInt8(ascii: " ")) }
      isAfterSpace = false
      short.append(byte)
      isLonger = short.count > characters
    }
    guard isLonger else { return String(decoding: short, as: UTF8.self) }
    return String(decoding: short.prefix(characters - 1), as: UTF8.self) + "…"
  }

  /// Does the same for any text. Reads no more characters than needed.
  private static func of(_ line: String, _ characters: Int) -> String {
    var short: [Character] = []
    var isAfterSpace = false
    for character in line {
      if character.isWhitespace {
        isAfterSpace = !short.isEmpty
        continue
      }
      if isAfterSpace { short.append(" ") }
      isAfterSpace = false
      short.append(character)
      if short.count > characters { return short.prefix(characters - 1).map(bounded).joined() + "…" }
    }
    return short.map(bounded).joined()
  }

  private static func bounded(_ character: Character) -> String {
    if character.utf8.count <= longestCharacter { return String(character) }
    return String(String.UnicodeScalarView(character.unicodeScalars.prefix(longestCharacter)))
  }
}
