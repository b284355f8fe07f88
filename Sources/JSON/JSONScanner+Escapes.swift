/// Escapes in strings (RFC 8259 §7).
extension JSONScanner {
  /// Takes one escape; whether a surrogate has its other half is no question of grammar.
  @inline(__always) mutating func skipEscape() throws(JSONFault) {
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

  /// Takes one escape, or two that form a surrogate pair. A half without the other means nothing: U+FFFD.
  mutating func escape() throws(JSONFault) -> Unicode.Scalar {
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

  /// Takes four hexadecimal digits.
  @inline(__always) mutating func codeUnit() throws(JSONFault) -> UInt32 {
    guard offset &+ 4 <= count, let unit = Self.codeUnit(digits: halfWord) else { throw codeUnitFault() }
    offset &+= 4
    return unit
  }

  /// The value of four hexadecimal digits, of which the first is the lowest byte; all four are looked at together.
  @inline(__always) private static func codeUnit(digits: UInt32) -> UInt32? {
    let ones: UInt32 = 0x0101_0101
    let low = ones &* 0x7f
    // The highest bit of a byte says that it is no digit: 0...9 once '0' is taken away, and what has the highest bit itself.
    let decimal = digits ^ (ones &* 0x30)
    let noDecimal = ((decimal & low) &+ ones &* 0x76) | decimal
    // That it is no letter: 1...6 once upper and lower case are one and '`' is taken away.
    let letter = (digits | ones &* 0x20) ^ (ones &* 0x60)
    let noLetter = ((letter & low) &+ ones &* 0x79) | ~((letter & low) &+ low) | letter
    guard noDecimal & noLetter & (ones &* 0x80) == 0 else { return nil }
    let values = ((digits & (ones &* 0x0f)) &+ ((digits &>> 6) & ones) &* 9).byteSwapped
    let pairs = (values | values &>> 4) & 0x00ff_00ff
    return (pairs | pairs &>> 8) & 0xffff
  }

  /// What is wrong with four digits that are none, with `offset` at the one.
  private mutating func codeUnitFault() -> JSONFault {
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
