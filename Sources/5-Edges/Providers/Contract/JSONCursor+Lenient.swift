internal import JSON

/// Lenient reading of other programs' JSON: a member of the wrong type counts as missing. Only invalid JSON is an error.
extension JSONCursor {
  /// Returns the type of the value at the beginning of a text.
  static func kind(of bytes: [UInt8]) throws(JSONError) -> Kind {
    var cursor = JSONCursor(bytes)
    return try cursor.peek()
  }

  /// Consumes any value; returns it if it is a string.
  mutating func lenientString() throws(JSONError) -> String? { try stringOrSkip() }

  /// Consumes any value; returns an id, which is a non-empty string or the digits of a number as written.
  mutating func lenientID() throws(JSONError) -> String? {
    guard try peek() == .number else {
      let text = try lenientString()
      return text == "" ? nil : text
    }
    return try numberText()
  }

  /// Consumes any value; returns a post id of at most 99 bytes. A longer id has no key among decimal ids (`PostKey`). It would stay the
  /// newest id forever, and every refresh would start from it.
  mutating func lenientPostID() throws -> String? {
    try lenientID().flatMap { $0.utf8.count <= 99 ? $0 : nil }
  }

  /// Consumes any value; returns a whole number in a range. The number may be in a string.
  mutating func lenientInteger<Integer: FixedWidthInteger>(
    in range: ClosedRange<Integer>
  ) throws(JSONError) -> Integer? {
    if try peek() == .number { return try number().integer(in: range) }
    return try lenientString().flatMap { JSONNumber(text: $0).integer(in: range) }
  }

  /// Consumes any value; returns a number of at least 0, for display only.
  mutating func lenientCount() throws(JSONError) -> Int? {
    guard try peek() == .number else {
      try skip()
      return nil
    }
    return try number().integer(in: 0...Int(JSONNumber.largest))
  }

  /// Consumes any value; returns whether it is `true`.
  mutating func lenientFlag() throws(JSONError) -> Bool { try lenientBoolean() ?? false }

  /// Consumes any value; returns it if it is `true` or `false`.
  mutating func lenientBoolean() throws(JSONError) -> Bool? {
    guard try peek() == .boolean else {
      try skip()
      return nil
    }
    return try boolean()
  }

  /// Consumes any value; reads its members if it is an object.
  mutating func lenientMembers(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Consumes any value; reads the wanted members if it is an object.
  mutating func lenientMembers<Member>(
    _ names: JSONNames<Member>, _ body: (inout JSONCursor, Member) throws -> Void
  ) throws {
    guard try peek() == .object else {
      try skip()
      return
    }
    try members(of: names.table) { cursor, number in try body(&cursor, names.members[number]) }
  }

  /// Consumes any value; reads its elements if it is an array.
  mutating func lenientElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}
