/// Reads JSON (RFC 8259) from bytes, value after value, without building a tree.
///
/// The caller asks for what it expects and skips the rest, so that a page of posts costs one pass; each error names its line and column.
/// Invalid UTF-8 and lone surrogates in strings become U+FFFD; of doubled names the caller sees each.
package struct JSONCursor {
  package let bytes: [UInt8]
  /// The offset of the next byte.
  package internal(set) var offset = 0
  let maximalDepth: Int
  var depth = 0

  /// - Parameter maximalDepth: how many objects and arrays may lie in one another; at most 64.
  package init(_ bytes: [UInt8], maximalDepth: Int = 64) {
    precondition(maximalDepth <= 64, "the scanner keeps one bit of a word for each level")
    self.bytes = bytes
    self.maximalDepth = maximalDepth
    // A byte order mark is no JSON, but editors write it (RFC 8259 §8.1 lets a reader ignore it).
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// What the next value is.
  package enum Kind: Sendable { case object, array, string, number, boolean, null }

  /// Looks at the next value without taking it.
  package mutating func peek() throws(JSONError) -> Kind {
    switch try nextByte() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw error(.syntax("a value"))
    }
  }

  /// Takes `null` if that is what comes next.
  package mutating func null() throws(JSONError) -> Bool {
    guard try nextByte() == UInt8(ascii: "n") else { return false }
    try scan { scanner throws(JSONFault) in try scanner.take("null", orElse: .wordNull) }
    return true
  }

  package mutating func boolean() throws(JSONError) -> Bool {
    switch try nextByte() {
    case UInt8(ascii: "t"):
      try scan { scanner throws(JSONFault) in try scanner.take("true", orElse: .wordTrue) }
      return true
    case UInt8(ascii: "f"):
      try scan { scanner throws(JSONFault) in try scanner.take("false", orElse: .wordFalse) }
      return false
    default: throw error(.type(expected: "true or false"))
    }
  }

  /// Takes any value and answers where its bytes lie.
  @discardableResult
  package mutating func skip() throws(JSONError) -> Range<Int> {
    let levels = maximalDepth - depth
    return try scan { scanner throws(JSONFault) in
      _ = try scanner.next()
      let start = scanner.offset
      try scanner.skipValue(levels: levels)
      return start..<scanner.offset
    }
  }

  /// Takes the end of the text: nothing but white space may follow.
  package mutating func end() throws(JSONError) {
    skipSpace()
    if offset < bytes.count { throw error(.syntax("the end")) }
  }

  /// The place of the next byte that is not white space.
  package mutating func place() -> JSONPlace {
    skipSpace()
    return JSONPlace(of: offset, in: bytes)
  }

  /// The place of any offset.
  package func place(of offset: Int) -> JSONPlace { JSONPlace(of: offset, in: bytes) }
}
