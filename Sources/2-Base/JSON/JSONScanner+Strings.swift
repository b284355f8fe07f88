internal import CPlainRun

/// Strings (RFC 8259 §7), scanned many bytes at a time.
extension JSONScanner {
  /// Consumes a string, starting at its opening quote.
  /// - Returns: whether the string contains escapes.
  @discardableResult
  @inline(__always) mutating func skipString() throws(JSONScanError) -> Bool {
    offset += 1
    skipPlain()
    if offset < count, byte == UInt8(ascii: "\"") {
      offset += 1
      return false
    }
    let end = unsafe json_string_skip(start, count, offset)
    if end > 0 { offset = end } else { try skipEscapes() }
    return true
  }

  /// Consumes the rest of a string, from the first byte that is not plain.
  private mutating func skipEscapes() throws(JSONScanError) {
    while true {
      guard offset < count else { throw .truncated }
      guard byte == UInt8(ascii: "\\") else { break }
      try skipEscape()
      skipPlain()
    }
    guard byte == UInt8(ascii: "\"") else { throw .controlCharacter }
    offset += 1
  }

  /// Skips bytes up to the first quote, backslash or control character, or to the end.
  @inline(__always) mutating func skipPlain() { unsafe offset &+= plain_run(rest, count &- offset, nil) }

  /// Skips bytes up to the first invisible character, or to the end. This program writes such characters as `\uXXXX`, although JSON does
  /// not require it.
  @inline(__always) mutating func skipVisible() { unsafe offset &+= visible_run(rest, count &- offset) }

  /// Skips bytes up to the first invisible character, quote, backslash or control character, or to the end.
  @inline(__always) mutating func skipWritten() { unsafe offset &+= written_run(rest, count &- offset) }

  /// Consumes the invisible character at `offset`, and returns its code unit.
  mutating func takeInvisible() -> UInt16 {
    defer { offset += byte == 0x7f ? 1 : byte == 0xc2 ? 2 : 3 }
    switch byte {
    case 0x7f: return 0x7f
    case 0xc2: return UInt16(byte(at: offset + 1))
    default: return 0x2000 | UInt16(byte(at: offset + 1) & 0x3f) << 6 | UInt16(byte(at: offset + 2) & 0x3f)
    }
  }
}

/// Escapes in strings (RFC 8259 §7).
extension JSONScanner {
  /// Consumes one escape. A surrogate may be unpaired: the grammar allows this.
  private mutating func skipEscape() throws(JSONScanError) {
    offset += 1
    guard offset < count else { throw .truncated }
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 1
    case UInt8(ascii: "u"):
      offset += 1
      try skipHexadecimal()
    default: throw .escape
    }
  }

  /// Consumes four hexadecimal digits.
  private mutating func skipHexadecimal() throws(JSONScanError) {
    for _ in 0..<4 {
      guard offset < count else { throw .truncated }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        offset += 1
      default: throw .hexadecimal
      }
    }
  }
}

/// Decodes strings. Invalid UTF-8 and lone surrogates become U+FFFD.
extension JSONScanner {
  /// Consumes a string, starting at its opening quote, and decodes it.
  mutating func string() throws(JSONScanError) -> String {
    let start = offset + 1
    let hasEscapes = try skipString()
    let content = start..<(offset - 1)
    return hasEscapes ? decoded(content) : unsafe String(decoding: view(content), as: UTF8.self)
  }

  /// Returns the decoded content of a scanned string.
  func decoded(_ content: Range<Int>) -> String {
    // A decoded escape is never longer than the escape as written.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count + json_unescape_slack) { output in
      let bytes = unsafe JSONScanner(self, at: content.lowerBound).rest
      let written = unsafe json_unescape(bytes, content.count, count - content.lowerBound, output.baseAddress)
      return unsafe String(decoding: UnsafeBufferPointer(rebasing: output[..<written]), as: UTF8.self)
    }
  }
}
