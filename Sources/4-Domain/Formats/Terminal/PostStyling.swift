internal import TerminalText

/// Highlights the links, mentions and hashtags in a line of a post.
///
/// Links, mentions and hashtags are recognised from the text alone. Providers allow different characters, but a wrong colour does no harm.
enum PostStyling {
  /// Returns the line with its links, mentions and hashtags highlighted.
  /// - Parameter line: text that has passed through `SafeText`.
  static func styled(_ line: String) -> StyledText {
    let bytes = line.utf8.span
    var styled = StyledText()
    var plainStart = 0
    var index = 0
    while index < bytes.count {
      guard let end = end(ofWordFrom: index, in: bytes) else {
        index += 1
        continue
      }
      let word = UTF8Text.text(index..<end, of: bytes)
      styled.append(UTF8Text.text(plainStart..<index, of: bytes))
      styled.append(word, .accent, target: LinkTarget(word))
      plainStart = end
      index = end
    }
    styled.append(plainStart == 0 ? line : UTF8Text.text(plainStart..<bytes.count, of: bytes))
    return styled
  }

  @inline(__always)
  private static func end(ofWordFrom start: Int, in bytes: Span<UInt8>) -> Int? {
    switch bytes[start] {
    case UInt8(ascii: "h"), UInt8(ascii: "H"): AddressFinder.end(ofAddressFrom: start, in: bytes)
    case UInt8(ascii: "@"), UInt8(ascii: "#"), 0xef: end(ofMentionOrTopicFrom: start, in: bytes)
    default: nil
    }
  }

  private static func end(ofMentionOrTopicFrom start: Int, in bytes: Span<UInt8>) -> Int? {
    let (mark, first) = UTF8Text.scalar(at: start, in: bytes)
    return switch mark {
    case "@", "＠": endOfMention(from: first, after: start, in: bytes)
    case "#", "＃": endOfTopic(from: first, mark, after: start, in: bytes)
    default: nil
    }
  }

  /// Returns the end of `@name`, `@name@server.example`, or a name in other letters.
  /// - Parameters:
  ///   - first: the index after the `@`.
  ///   - start: the index of the `@`.
  private static func endOfMention(from first: Int, after start: Int, in bytes: Span<UInt8>) -> Int? {
    if start > 0 {
      let before = UTF8Text.scalar(before: start, in: bytes)
      if isOfWord(before) || before == "@" { return nil }
    }
    guard first < bytes.count else { return nil }
    let letter = UTF8Text.scalar(at: first, in: bytes).scalar
    guard isOfWord(letter) else { return nil }
    var index = first
    var end = first
    while index < bytes.count {
      let (scalar, next) = UTF8Text.scalar(at: index, in: bytes)
      let isMark = scalar == "-" || scalar == "." || scalar == "@"
      let isLetter = isOfWord(scalar)
      guard isLetter && scalar.isASCII == letter.isASCII || isMark else { break }
      index = next
      // A name does not end with a mark.
      if isLetter { end = next }
    }
    return end
  }

  /// Returns the end of `#hashtag`, which must be more than a number, or of `#hashtag#`.
  private static func endOfTopic(
    from first: Int, _ mark: Unicode.Scalar, after start: Int, in bytes: Span<UInt8>
  ) -> Int? {
    if start > 0 {
      let before = UTF8Text.scalar(before: start, in: bytes)
      if isOfWord(before) || before == "&" || before == "#" { return nil }
    }
    var end = first
    var isNumber = true
    while end < bytes.count {
      let (scalar, next) = UTF8Text.scalar(at: end, in: bytes)
      guard isOfWord(scalar) else { break }
      isNumber = isNumber && isNumeric(scalar)
      end = next
    }
    if isNumber { return nil }
    guard end < bytes.count else { return end }
    let (last, next) = UTF8Text.scalar(at: end, in: bytes)
    return last == mark ? next : end
  }

  private static func isNumeric(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("0"..."9").contains(scalar) : scalar.properties.numericType != nil
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return UTF8Text.isLetterOrDigit(UInt8(ascii: scalar)) || scalar == "_" }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .nonspacingMark, .spacingMark, .connectorPunctuation:
      true
    default: false
    }
  }
}
