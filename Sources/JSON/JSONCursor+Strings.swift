extension JSONCursor {
  /// Takes a string and decodes its escapes.
  package mutating func string() throws(JSONError) -> String {
    guard try nextByte() == UInt8(ascii: "\"") else { throw error(.type(expected: "a string")) }
    return try scan { scanner throws(JSONFault) in try scanner.string() }
  }

  /// Takes a string, or `null` as nothing.
  package mutating func stringOrNull() throws(JSONError) -> String? { try null() ? nil : try string() }

  /// Takes any value: a string, or nothing.
  package mutating func stringOrSkip() throws(JSONError) -> String? {
    let levels = maximalDepth - depth
    return try scan { scanner throws(JSONFault) in
      if try scanner.next() == UInt8(ascii: "\"") { return try scanner.string() }
      try scanner.skipValue(levels: levels)
      return nil
    }
  }
}
