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

  /// Consumes a tag and returns it. For markup that shows nothing, such as a comment, it returns `nil`.
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
