internal import JSON

/// Reads JSON in which numbers may be strings and flags may be numbers, because Gokuai's servers and versions differ in these types. A
/// member with an unexpected type is treated as missing.
extension JSONCursor {
  /// Consumes any value; returns a string, or the digits of a number.
  mutating func looseText() throws(JSONError) -> String? {
    try peek() == .number ? try numberText() : try stringOrSkip()
  }

  /// Consumes any value; returns a whole number, which may be in a string.
  mutating func looseInteger() throws(JSONError) -> Int? {
    try looseText().flatMap { Int($0) }
  }

  /// Consumes any value; returns whether it is true, 1 or "1".
  mutating func looseFlag() throws(JSONError) -> Bool {
    try peek() == .boolean ? try boolean() : try looseInteger() == 1
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
