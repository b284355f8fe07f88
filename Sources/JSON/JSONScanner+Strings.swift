internal import CPlainRun

/// Strings (RFC 8259 §7), looked at many bytes at a time.
extension JSONScanner {
  /// Takes a string from its opening quote on.
  /// - Returns: whether it has escapes.
  @discardableResult
  @inline(__always) mutating func skipString() throws(JSONFault) -> Bool {
    offset += 1
    skipPlain()
    if offset < count, byte == UInt8(ascii: "\"") {
      offset += 1
      return false
    }
    try skipEscapes()
    return true
  }

  /// Goes on from the first byte that is not plain, to the end of the string.
  private mutating func skipEscapes() throws(JSONFault) {
    while true {
      guard offset < count else { throw .truncated }
      guard byte == UInt8(ascii: "\\") else { break }
      try skipEscape()
      skipPlain()
    }
    guard byte == UInt8(ascii: "\"") else { throw .controlCharacter }
    offset += 1
  }

  /// Stops at the first quote, backslash or control character, or at the end.
  @inline(__always) mutating func skipPlain() { unsafe offset &+= plain_run(rest, count &- offset, nil) }

  /// The same, while what is passed over is written down.
  /// - Parameter room: has some bytes more (`plain_run_step`) than are passed over.
  @inline(__always) mutating func movePlain(to room: UnsafeMutablePointer<UInt8>) -> Int {
    let moved = unsafe plain_run(rest, count &- offset, room)
    offset &+= moved
    return moved
  }

  /// Stops at the first character that output writes as `\u` and its number, though it could stand as it is; or at the end.
  @inline(__always) mutating func skipVisible() { unsafe offset &+= visible_run(rest, count &- offset) }

  /// The same, or at a quote, backslash or control character.
  @inline(__always) mutating func skipWritten() { unsafe offset &+= written_run(rest, count &- offset) }

  /// Takes a character that output need not escape, and does; it begins at `offset`.
  mutating func takeInvisible() -> UInt16 {
    defer { offset += byte == 0x7f ? 1 : byte == 0xc2 ? 2 : 3 }
    switch byte {
    case 0x7f: return 0x7f
    case 0xc2: return UInt16(byte(at: offset + 1))
    default: return 0x2000 | UInt16(byte(at: offset + 1) & 0x3f) << 6 | UInt16(byte(at: offset + 2) & 0x3f)
    }
  }
}
