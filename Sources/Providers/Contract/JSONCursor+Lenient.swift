internal import JSON

/// Reading what others write: a member of the wrong type counts as absent. Only what is not JSON at all is an error.
extension JSONCursor {
  /// What a whole text begins with.
  static func kind(of bytes: [UInt8]) throws(JSONError) -> Kind {
    var cursor = JSONCursor(bytes)
    return try cursor.peek()
  }

  /// Takes any value: a string, or nothing.
  mutating func lenientString() throws(JSONError) -> String? { try stringOrSkip() }

  /// Takes any value: an id, which is a string that is not empty, or the digits of a number just as they are written.
  mutating func lenientID() throws(JSONError) -> String? {
    guard try peek() == .number else {
      let text = try lenientString()
      return text == "" ? nil : text
    }
    return try numberText()
  }

  /// Takes any value: the id of a post, of at most 99 bytes. What is longer has no place among decimal ids (`PostKey`): it would stay
  /// the newest for ever, and be asked from with every refresh.
  mutating func lenientPostID() throws -> String? {
    try lenientID().flatMap { $0.utf8.count <= 99 ? $0 : nil }
  }

  /// Takes any value: a whole number from 0 on, or nothing.
  mutating func lenientCount() throws(JSONError) -> Int? {
    guard try peek() == .number else {
      try skip()
      return nil
    }
    let count = try integerOrNothing()
    return count.flatMap { $0 < 0 ? nil : Int($0) }
  }

  /// Takes any value: true, or something else.
  mutating func lenientFlag() throws(JSONError) -> Bool {
    guard try peek() == .boolean else {
      try skip()
      return false
    }
    return try boolean()
  }

  /// Takes any value: the members of an object, or none.
  mutating func lenientMembers(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Takes any value: the elements of an array, or none.
  mutating func lenientElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}
