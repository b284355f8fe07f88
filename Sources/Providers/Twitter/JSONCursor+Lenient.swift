internal import JSON

/// Reading what others write: a member of the wrong type counts as absent. Only what is not JSON at all is an error.
extension JSONCursor {
  /// What a whole text begins with.
  static func kind(of bytes: [UInt8]) throws(JSONError) -> Kind {
    var cursor = JSONCursor(bytes)
    return try cursor.peek()
  }

  /// Takes any value: a string, or nothing.
  mutating func lenientString() throws -> String? {
    guard try peek() == .string else {
      try skip()
      return nil
    }
    return try string()
  }

  /// Takes any value: an id, which is a string that is not empty, or the digits of a number just as they are written.
  mutating func lenientID() throws -> String? {
    guard try peek() == .number else {
      let text = try lenientString()
      return text == "" ? nil : text
    }
    return try numberText()
  }

  /// Takes any value: a whole number from 0 on, or nothing.
  mutating func lenientCount() throws -> Int? {
    guard try peek() == .number else {
      try skip()
      return nil
    }
    let count = Int(try numberText())
    return count.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Takes any value: true, or something else.
  mutating func lenientFlag() throws -> Bool {
    guard try peek() == .boolean else {
      try skip()
      return false
    }
    return try boolean()
  }

  /// Takes any value: the members of an object, or none.
  mutating func lenientMembers(_ body: (inout JSONCursor, String) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Takes any value: the elements of an array, or none.
  mutating func lenientElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}
