/// Splits HTML into text and tags (WHATWG HTML §13.2.5, as far as posts need it). It never fails, and reads each byte at most a
/// fixed number of times for any input.
///
/// Comments, declarations, and content that is not shown (such as scripts and styles) are left out. If a tag, a comment or a script is
/// not closed, the rest of the text is dropped, as in browsers.
struct HTMLTokenizer {
  enum Token {
    /// Text whose references are not yet decoded.
    case text(ArraySlice<UInt8>)
    case tag(HTMLTag)
  }

  /// Elements whose content is neither parsed nor shown.
  private static let hidden: Set<String> = [
    "script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "template",
  ]

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next token; `nil` at the end.
  mutating func next() -> Token? {
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<"), beginsMarkup(at: offset) else { return .text(takeText()) }
      guard let tag = takeMarkup() else { continue }
      if !tag.isEnd, Self.hidden.contains(tag.name) {
        skipContent(of: tag.name)
        continue
      }
      return .tag(tag)
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns whether a `<` begins markup. A letter, `/`, `!` or `?` must follow (§13.2.5.6).
  private func beginsMarkup(at index: Int) -> Bool {
    guard index + 1 < bytes.count else { return false }
    let next = bytes[index + 1]
    return Self.isLetter(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
  }

  private mutating func takeText() -> ArraySlice<UInt8> {
    let start = offset
    offset += 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") || !beginsMarkup(at: offset) { offset += 1 }
    return bytes[start..<offset]
  }

  /// Consumes a tag and returns it. Also consumes markup that shows nothing, such as a comment; then returns `nil`.
  private mutating func takeMarkup() -> HTMLTag? {
    if bytes[offset...].starts(with: "<!--".utf8) {
      offset = min(offset + 4, bytes.count)
      skip(behind: "-->")
      return nil
    }
    let isEnd = bytes[offset + 1] == UInt8(ascii: "/")
    let start = offset + (isEnd ? 2 : 1)
    guard start < bytes.count, Self.isLetter(bytes[start]) else {
      skip(behind: ">")
      return nil
    }
    offset = start
    let name = takeWord { HTMLSpace.contains($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
    var attributes: [String: String] = [:]
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: ">") {
        offset += 1
        return HTMLTag(name: name, isEnd: isEnd, attributes: isEnd ? [:] : attributes)
      }
      if HTMLSpace.contains(byte) || byte == UInt8(ascii: "/") {
        offset += 1
      } else {
        takeAttribute(into: &attributes)
      }
    }
    return nil
  }

  private mutating func takeAttribute(into attributes: inout [String: String]) {
    // A name may begin with `=` (§13.2.5.32), so at least one byte is always consumed.
    let first = String(decoding: [Self.lowercased(bytes[offset])], as: UTF8.self)
    offset += 1
    let name =
      first
      + takeWord {
        HTMLSpace.contains($0) || [UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "=")].contains($0)
      }
    skipSpace()
    var value: ArraySlice<UInt8> = []
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "=") {
      offset += 1
      skipSpace()
      value = takeValue()
    }
    if attributes[name] == nil { attributes[name] = HTMLReferences.decoded(value) }
  }

  private mutating func takeValue() -> ArraySlice<UInt8> {
    guard offset < bytes.count else { return [] }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return take { HTMLSpace.contains($0) || $0 == UInt8(ascii: ">") }
    }
    offset += 1
    let value = take { $0 == quote }
    offset = min(offset + 1, bytes.count)
    return value
  }

  private mutating func take(until ends: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while offset < bytes.count, !ends(bytes[offset]) { offset += 1 }
    return bytes[start..<offset]
  }

  private mutating func takeWord(until ends: (UInt8) -> Bool) -> String {
    String(decoding: take(until: ends).map(Self.lowercased), as: UTF8.self)
  }

  private mutating func skipSpace() { _ = take { !HTMLSpace.contains($0) } }

  /// Moves past the next occurrence of a mark, or to the end.
  private mutating func skip(behind mark: String) {
    let mark = Array(mark.utf8)
    while offset < bytes.count, !bytes[offset...].starts(with: mark) { offset += 1 }
    offset = min(offset + mark.count, bytes.count)
  }

  /// Moves to the end tag of an element that is not shown, or to the end.
  private mutating func skipContent(of name: String) {
    let mark = Array("</\(name)".utf8)
    while offset < bytes.count, !bytes[offset...].prefix(mark.count).map(Self.lowercased).starts(with: mark) {
      offset = bytes[(offset + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    }
  }
}

/// A start or end tag: its name in lower case, and the attributes of a start tag.
struct HTMLTag {
  let name: String
  let isEnd: Bool
  /// The attributes by lower-case name, with references decoded. If a name is repeated, the first value is used (HTML §13.2.5.33).
  let attributes: [String: String]

  func hasClass(_ name: String) -> Bool {
    attributes["class"]?.utf8.split(whereSeparator: HTMLSpace.contains).contains {
      String(decoding: Array($0), as: UTF8.self) == name
    } ?? false
  }
}

/// Character references in HTML (WHATWG HTML §13.5): numeric ones, those of XML, and the named ones that occur in posts.
enum HTMLReferences {
  /// Returns the text with each reference decoded once. Any other text, such as a lone `&`, is kept.
  static func decoded(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    return HTMLText.decoded(Array(bytes), by: reference)
  }

  private static func reference(at start: Int, in bytes: [UInt8]) -> (character: Unicode.Scalar, end: Int)? {
    if let reference = HTMLText.reference(at: start, in: bytes[...]) { return reference }
    guard let end = bytes[start...].prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    return named[String(decoding: bytes[(start + 1)..<end], as: UTF8.self)].map { ($0, end + 1) }
  }

  /// The longest name below has six letters; a slightly larger limit does no harm.
  private static let longest = 10

  private static let named: [String: Unicode.Scalar] = [
    "nbsp": "\u{a0}", "shy": "\u{ad}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
    "zwnj": "\u{200c}", "zwj": "\u{200d}", "ndash": "–", "mdash": "—", "hellip": "…", "bull": "•", "middot": "·",
    "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›",
    "laquo": "«", "raquo": "»", "iexcl": "¡", "iquest": "¿", "sect": "§", "para": "¶", "copy": "©", "reg": "®",
    "trade": "™", "deg": "°", "plusmn": "±", "times": "×", "divide": "÷", "frac12": "½", "frac14": "¼", "frac34": "¾",
    "sup2": "²", "sup3": "³", "micro": "µ", "ordf": "ª", "ordm": "º", "cent": "¢", "pound": "£", "yen": "¥",
    "euro": "€", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "rArr": "⇒", "hearts": "♥",
    "agrave": "à", "aacute": "á", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å", "aelig": "æ",
    "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê", "euml": "ë", "igrave": "ì", "iacute": "í",
    "icirc": "î", "iuml": "ï", "ntilde": "ñ", "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "ouml": "ö",
    "oslash": "ø", "ugrave": "ù", "uacute": "ú", "ucirc": "û", "uuml": "ü", "yacute": "ý", "yuml": "ÿ", "szlig": "ß",
    "Agrave": "À", "Aacute": "Á", "Acirc": "Â", "Auml": "Ä", "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç",
    "Egrave": "È", "Eacute": "É", "Ntilde": "Ñ", "Oacute": "Ó", "Ouml": "Ö", "Oslash": "Ø", "Uuml": "Ü",
  ]
}
