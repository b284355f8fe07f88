internal import JSON
internal import Time

/// Reads JSON where numbers may be strings and flags may be numbers, because Gokuai's servers and versions differ in these types. A member
/// with an unexpected type is treated as missing.
extension JSONCursor {
  /// Consumes any value; returns a string, or the digits of a number.
  mutating func looseText() throws(JSONError) -> String? {
    try peek() == .number ? try numberText() : try stringOrSkip()
  }

  /// Consumes any value; returns a whole number in a range. The number may be in a string.
  mutating func looseInteger<Integer: FixedWidthInteger>(in range: ClosedRange<Integer>) throws(JSONError) -> Integer? {
    if try peek() == .number { return try number().integer(in: range) }
    return try stringOrSkip().flatMap { JSONNumber(text: $0).integer(in: range) }
  }

  /// Consumes any value; returns a time, in seconds or milliseconds since 1970.
  mutating func looseTime() throws(JSONError) -> Timestamp? {
    try looseInteger(in: 1...Int64.max).flatMap { Timestamp(sinceEpoch: $0) }
  }

  /// Consumes any value; returns a string of at most `limit` bytes. A longer string counts as missing.
  mutating func looseText(limit: Int) throws(JSONError) -> String? {
    try looseText().flatMap { $0.utf8.count <= limit ? $0 : nil }
  }

  /// Consumes any value; returns whether it is true, 1 or "1".
  mutating func looseFlag() throws(JSONError) -> Bool {
    try peek() == .boolean ? try boolean() : try looseInteger(in: 0...1) == 1
  }

  /// Consumes any value; calls `body` with each member if it is an object.
  mutating func looseMembers(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Consumes any value; calls `body` with each element if it is an array.
  mutating func looseElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}
