extension JSONCursor {
  /// Takes a string and decodes its escapes.
  package mutating func string() throws(JSONError) -> String {
    guard try nextByte() == UInt8(ascii: "\"") else { throw error(.type(expected: "a string")) }
    offset += 1
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        defer { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
      case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
      case ..<0x20: throw error(.syntax("no control character in a string"))
      default: offset += 1
      }
    }
    throw error(.truncated)
  }

  /// Takes a string, or `null` as nothing.
  package mutating func stringOrNull() throws(JSONError) -> String? { try null() ? nil : try string() }

  mutating func skipString() throws(JSONError) {
    offset += 1
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): _ = try escape()
      case ..<0x20: throw error(.syntax("no control character in a string"))
      default: offset += 1
      }
    }
    throw error(.truncated)
  }

  /// Goes on from the first escape of a string whose content begins at `start`.
  private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
    var decoded = Array(bytes[start..<offset])
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"): decoded += Array(String(try escape()).utf8)
      case ..<0x20: throw error(.syntax("no control character in a string"))
      default:
        decoded.append(byte)
        offset += 1
      }
    }
    throw error(.truncated)
  }

  /// Takes one escape, or two that form a surrogate pair (RFC 8259 §7).
  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    offset += 1
    guard offset < bytes.count else { throw error(.truncated) }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error(.syntax("an escape such as \\n or \\u0041"), at: offset - 1)
    }
    let unit = try hexadecimal()
    guard unit & 0xfc00 == 0xd800 else { return Unicode.Scalar(unit) ?? "\u{fffd}" }
    // The first half of a pair: the second must follow at once, or this one stands alone and means nothing.
    let after = offset
    guard bytes.count - offset >= 6, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
      return "\u{fffd}"
    }
    offset += 2
    let second = try hexadecimal()
    guard second & 0xfc00 == 0xdc00 else {
      offset = after
      return "\u{fffd}"
    }
    return Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + second & 0x3ff) ?? "\u{fffd}"
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw error(.truncated) }
      guard let digit = Character(UnicodeScalar(bytes[offset])).hexDigitValue else {
        throw error(.syntax("four hexadecimal digits"))
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
