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
    try skipEscapes()
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

  /// Does the same as `skipPlain()`, and copies the skipped bytes.
  /// - Parameter output: the memory for the copy, which must have space for the skipped bytes and `plain_run_step` more.
  @inline(__always) mutating func movePlain(to output: UnsafeMutablePointer<UInt8>) -> Int {
    let moved = unsafe plain_run(rest, count &- offset, output)
    offset &+= moved
    return moved
  }

  /// Skips bytes up to the first invisible character, or to the end. This program writes invisible characters as `\uXXXX`, although JSON
  /// does not require it.
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
  /// Consumes one escape. A surrogate may be unpaired, because the grammar allows that.
  @inline(__always) mutating func skipEscape() throws(JSONScanError) {
    offset += 1
    guard offset < count else { throw .truncated }
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 1
    case UInt8(ascii: "u"):
      offset += 1
      _ = try codeUnit()
    default: throw .escape
    }
  }

  /// Consumes one escape, or two escapes that form a surrogate pair. A lone surrogate becomes U+FFFD.
  mutating func escape() throws(JSONScanError) -> Unicode.Scalar {
    let start = offset
    try skipEscape()
    guard offset - start == 6 else { return Self.scalar(letter: byte(at: start + 1)) }
    var digits = JSONScanner(self, at: start + 2)
    let unit = try digits.codeUnit()
    guard unit & 0xfc00 == 0xd800 else { return Unicode.Scalar(unit) ?? "\u{fffd}" }
    let after = offset
    guard count - offset >= 6, byte == UInt8(ascii: "\\"), byte(at: offset + 1) == UInt8(ascii: "u") else {
      return "\u{fffd}"
    }
    offset += 2
    let second = try codeUnit()
    guard second & 0xfc00 == 0xdc00 else {
      offset = after
      return "\u{fffd}"
    }
    return Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + second & 0x3ff) ?? "\u{fffd}"
  }

  private static func scalar(letter: UInt8) -> Unicode.Scalar {
    switch letter {
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{c}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: Unicode.Scalar(letter)
    }
  }

  /// Consumes four hexadecimal digits.
  @inline(__always) mutating func codeUnit() throws(JSONScanError) -> UInt32 {
    guard offset &+ 4 <= count, let unit = Self.codeUnit(digits: halfWord) else { throw codeUnitFault() }
    offset &+= 4
    return unit
  }

  /// Returns the value of four hexadecimal digits, with the first one in the lowest byte. All four are converted together.
  @inline(__always) private static func codeUnit(digits: UInt32) -> UInt32? {
    let ones: UInt32 = 0x0101_0101
    let low = ones &* 0x7f
    // The highest bit of a byte marks a byte that is not a digit, which means that it is not in 0...9 after '0' is subtracted.
    let decimal = digits ^ (ones &* 0x30)
    let noDecimal = ((decimal & low) &+ ones &* 0x76) | decimal
    // In this number, the highest bit of a byte marks a byte that is not a letter: after conversion to lower case and subtraction of '`',
    // the byte is not in 1...6.
    let letter = (digits | ones &* 0x20) ^ (ones &* 0x60)
    let noLetter = ((letter & low) &+ ones &* 0x79) | ~((letter & low) &+ low) | letter
    guard noDecimal & noLetter & (ones &* 0x80) == 0 else { return nil }
    let values = ((digits & (ones &* 0x0f)) &+ ((digits &>> 6) & ones) &* 9).byteSwapped
    let pairs = (values | values &>> 4) & 0x00ff_00ff
    return (pairs | pairs &>> 8) & 0xffff
  }

  /// Returns the fault for an invalid digit, and moves `offset` to that digit.
  private mutating func codeUnitFault() -> JSONScanError {
    while offset < count {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        offset += 1
      default: return .hexadecimal
      }
    }
    return .truncated
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
    // A decoded escape is never longer than the escape as written. Plain bytes are copied in steps, which may run past the content.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count + plain_run_step) { output in
      var written = 0
      var reader = JSONScanner(self, at: content.lowerBound)
      while reader.offset < content.upperBound {
        unsafe written &+= reader.movePlain(to: output.baseAddress! + written)
        // The closing quote also ends the content.
        guard reader.offset < content.upperBound, let scalar = try? reader.escape() else { break }
        unsafe Self.write(scalar.value, to: output, &written)
      }
      return unsafe String(decoding: UnsafeBufferPointer(rebasing: output[..<written]), as: UTF8.self)
    }
  }

  /// Writes the UTF-8 of a scalar (RFC 3629 §3).
  @inline(__always) private static func write(
    _ scalar: UInt32, to output: UnsafeMutableBufferPointer<UInt8>, _ written: inout Int
  ) {
    func continuation(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar &>> shift & 0x3f) }
    if scalar < 0x80 {
      unsafe output[written] = UInt8(scalar)
      written &+= 1
    } else if scalar < 0x800 {
      unsafe output[written] = UInt8(0xc0 | scalar &>> 6)
      unsafe output[written &+ 1] = continuation(0)
      written &+= 2
    } else if scalar < 0x10000 {
      unsafe output[written] = UInt8(0xe0 | scalar &>> 12)
      unsafe output[written &+ 1] = continuation(6)
      unsafe output[written &+ 2] = continuation(0)
      written &+= 3
    } else {
      unsafe output[written] = UInt8(0xf0 | scalar &>> 18)
      unsafe output[written &+ 1] = continuation(12)
      unsafe output[written &+ 2] = continuation(6)
      unsafe output[written &+ 3] = continuation(0)
      written &+= 4
    }
  }
}
