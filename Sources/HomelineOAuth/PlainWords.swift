/// Foreign words made fit to be shown: in a terminal, a log or a page.
enum PlainWords {
  /// At most this many characters are kept.
  static let limit = 300

  /// The bytes as a text on one line: runs of white space become one blank, control characters go (they could drive a
  /// terminal), bytes that are not UTF-8 become U+FFFD, and what is longer than the limit ends in `…`.
  static func cleaned(_ bytes: some Sequence<UInt8>) -> String {
    // Bytes are cut first, so that a megabyte of page is not decoded for 300 characters; a character rarely has 16 bytes.
    let text = String(decoding: Array(bytes.prefix(16 * limit)), as: UTF8.self)
    var words = ""
    var blankIsDue = false
    var count = 0
    for character in text {
      if character.isWhitespace {
        blankIsDue = !words.isEmpty
        continue
      }
      let scalars = character.unicodeScalars.filter { !isControl($0) }
      if scalars.isEmpty { continue }
      if blankIsDue {
        words.append(" ")
        count += 1
        blankIsDue = false
      }
      if count >= limit { return words + "…" }
      words.unicodeScalars.append(contentsOf: scalars)
      count += 1
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
