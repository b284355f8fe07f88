extension JSONCursor {
  /// Takes an object: the body is called for each member with its name and must take its value.
  package mutating func members(_ body: (inout JSONCursor, String) throws -> Void) throws {
    guard try peek() == .object else { throw error(.type(expected: "an object")) }
    try each(until: UInt8(ascii: "}")) { cursor in
      guard try cursor.nextByte() == UInt8(ascii: "\"") else { throw cursor.error(.syntax("a name in quotes")) }
      let name = try cursor.string()
      guard try cursor.nextByte() == UInt8(ascii: ":") else { throw cursor.error(.syntax("':'")) }
      cursor.offset += 1
      try body(&cursor, name)
    }
  }

  /// Takes an array: the body is called once for each element and must take it.
  package mutating func elements(_ body: (inout JSONCursor) throws -> Void) throws {
    guard try peek() == .array else { throw error(.type(expected: "an array")) }
    try each(until: UInt8(ascii: "]")) { cursor in try body(&cursor) }
  }

  /// Takes an array of values that are all read alike.
  package mutating func list<Element>(_ element: (inout JSONCursor) throws -> Element) throws -> [Element] {
    var list: [Element] = []
    try elements { cursor in list.append(try element(&cursor)) }
    return list
  }

  /// Takes from the opening bracket to the closing one, with commas between the items.
  private mutating func each(until closing: UInt8, _ item: (inout JSONCursor) throws -> Void) throws {
    guard depth < maximalDepth else { throw error(.tooDeep(limit: maximalDepth)) }
    depth += 1
    offset += 1
    if try nextByte() == closing {
      offset += 1
    } else {
      while true {
        let start = offset
        try item(&self)
        precondition(offset > start, "an item of an object or array was not taken")
        let next = try nextByte()
        offset += 1
        if next == closing { break }
        guard next == UInt8(ascii: ",") else {
          throw error(.syntax("',' or '\(Character(UnicodeScalar(closing)))'"), at: offset - 1)
        }
        if try nextByte() == closing { throw error(.syntax("another item after ','")) }
      }
    }
    depth -= 1
  }
}
