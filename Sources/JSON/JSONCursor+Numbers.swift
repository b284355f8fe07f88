extension JSONCursor {
  /// Takes a number and answers its text as written: the only way to keep the digits of a large id.
  package mutating func numberText() throws(JSONError) -> String {
    guard try peek() == .number else { throw error(.type(expected: "a number")) }
    let start = offset
    try skipNumber()
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Takes a whole number without fraction or exponent.
  package mutating func integer() throws(JSONError) -> Int64 {
    guard try peek() == .number else { throw error(.type(expected: "a whole number")) }
    let start = offset
    guard let value = Int64(try numberText()) else { throw error(.notInteger, at: start) }
    return value
  }

  /// Checks the grammar of RFC 8259 §6.
  mutating func skipNumber() throws(JSONError) {
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let start = offset
    try skipDigits()
    if bytes[start] == UInt8(ascii: "0"), offset > start + 1 {
      throw error(.syntax("no zero in front of a number"), at: start)
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(JSONError) {
    let start = offset
    while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
    guard offset > start else { throw offset < bytes.count ? error(.syntax("a digit")) : error(.truncated) }
  }
}
