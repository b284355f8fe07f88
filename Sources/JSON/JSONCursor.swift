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

  /// - Parameter maximalDepth: how many objects and arrays may lie in one another.
  package init(_ bytes: [UInt8], maximalDepth: Int = 64) {
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
    try literal("null")
    return true
  }

  package mutating func boolean() throws(JSONError) -> Bool {
    switch try nextByte() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw error(.type(expected: "true or false"))
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

  /// Takes any value and answers where its bytes lie.
  @discardableResult
  package mutating func skip() throws -> Range<Int> {
    let kind = try peek()
    let start = offset
    switch kind {
    case .object: try members { cursor, _ in try cursor.skip() }
    case .array: try elements { cursor in try cursor.skip() }
    case .string: try skipString()
    case .number: try skipNumber()
    case .boolean: _ = try boolean()
    case .null: _ = try null()
    }
    return start..<offset
  }

  func error(_ kind: JSONError.Kind, at offset: Int? = nil) -> JSONError {
    JSONError(kind: kind, place: JSONPlace(of: offset ?? self.offset, in: bytes))
  }

  mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0a, 0x0d, 0x09: offset += 1
      default: return
      }
    }
  }

  /// The next byte that is not white space, not taken.
  mutating func nextByte() throws(JSONError) -> UInt8 {
    skipSpace()
    guard offset < bytes.count else { throw error(.truncated) }
    return bytes[offset]
  }

  private mutating func literal(_ text: StaticString) throws(JSONError) {
    let expected = text.description
    for byte in expected.utf8 {
      guard offset < bytes.count else { throw error(.truncated) }
      guard bytes[offset] == byte else { throw error(.syntax(expected)) }
      offset += 1
    }
  }
}
