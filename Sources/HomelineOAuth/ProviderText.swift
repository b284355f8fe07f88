/// A provider's words made fit to be shown: in a terminal, a log or a page. Every message that quotes an answer gets them here.
enum ProviderText {
  /// At most this many characters are kept.
  static let limit = 300

  /// No secret has more bytes.
  private static let longestSecret = 4_096

  /// What is looked at of a text. A character rarely has 16 bytes, so that this is more than enough.
  private static let byteLimit = 16 * limit + longestSecret

  /// The bytes as a text on one line: HTML's character references become characters, runs of white space one blank, control
  /// characters go (they could drive a
  /// terminal), bytes that are not UTF-8 become U+FFFD, and what is longer than the limit ends in `…`.
  ///
  /// - Parameter hiding: takes the secrets out that the other side repeats. It is asked for each time, so that none is forgotten: where
  ///   there can be none, that is said with ``OAuth/Redaction/nothing``.
  static func cleaned(_ bytes: some Collection<UInt8>, hiding: OAuth.Redaction) -> String {
    let isLonger = bytes.dropFirst(byteLimit).first != nil
    // Bytes are cut first, so that a megabyte of page is not decoded for 300 characters.
    let text = String(decoding: Array(bytes.prefix(byteLimit)), as: UTF8.self)
    // A secret is looked for in what was sent and in what is shown: it may be escaped there, or look as if it were.
    let isEscaped = text.utf8.contains(UInt8(ascii: "&"))
    var line = line(of: isEscaped ? CharacterReferences.decoded(hiding.applied(to: text)) : text)
    // Half a secret would not be found. Where the cut is so near that it may be shown, the word that it went through is left out.
    if isLonger, line.count <= limit + longestSecret {
      while let last = line.last, last.isASCII, last != " " { line.removeLast() }
    }
    // For the same reason secrets are looked for before the rest is cut.
    let words = hiding.applied(to: line)
    return isLonger || words.dropFirst(limit).first != nil ? words.prefix(limit) + "…" : words
  }

  private static func line(of text: String) -> String {
    var words = ""
    var blankIsDue = false
    for character in text {
      if character.isWhitespace {
        blankIsDue = !words.isEmpty
        continue
      }
      let scalars = character.unicodeScalars.filter { !isControl($0) }
      if scalars.isEmpty { continue }
      if blankIsDue { words.append(" ") }
      blankIsDue = false
      words.unicodeScalars.append(contentsOf: scalars)
    }
    return words
  }

  /// Controls, and the invisible marks that turn the direction of writing or hide things.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

/// The character references of HTML that servers put into their messages (WHATWG HTML §13.5): those of numbers, and the usual names.
enum CharacterReferences {
  /// The longest that is known: `&#x0010ffff;`.
  private static let longest = 12

  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
    "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
  ]

  /// The text with each reference decoded once. What is none, such as a lone `&`, stays as it is.
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

  /// - Parameter name: what stands between `&` and `;`.
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
