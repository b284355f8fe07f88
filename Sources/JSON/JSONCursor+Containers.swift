extension JSONCursor {
  /// Takes an object: the body is called for each member with its name and must take its value.
  package mutating func members(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    guard try peek() == .object else { throw error(.type(expected: "an object")) }
    try open()
    var isFirst = true
    let text = bytes
    try unsafe text.withUnsafeBytes { text in
      while let name = try scan({ scanner throws(JSONFault) in try scanner.nextName(isFirst: isFirst) }) {
        isFirst = false
        if name.hasEscapes {
          var decoded = unsafe JSONScanner(text, at: offset).decoded(name.range)
          try decoded.withUTF8 { name in try unsafe body(&self, JSONName(UnsafeRawBufferPointer(name))) }
        } else {
          try unsafe body(&self, JSONName(UnsafeRawBufferPointer(rebasing: text[name.range])))
        }
      }
    }
    depth -= 1
  }

  /// Takes an array: the body is called once for each element and must take it.
  package mutating func elements(_ body: (inout JSONCursor) throws -> Void) throws {
    guard try peek() == .array else { throw error(.type(expected: "an array")) }
    try open()
    var isFirst = true
    while try scan({ scanner throws(JSONFault) in try scanner.nextElement(isFirst: isFirst) }) {
      isFirst = false
      let start = offset
      try body(&self)
      precondition(offset > start, "an element of an array was not taken")
    }
    depth -= 1
  }

  /// Takes an array of values that are all read alike.
  package mutating func list<Element>(_ element: (inout JSONCursor) throws -> Element) throws -> [Element] {
    var list: [Element] = []
    try elements { cursor in list.append(try element(&cursor)) }
    return list
  }

  /// Takes an opening bracket.
  private mutating func open() throws(JSONError) {
    guard depth < maximalDepth else { throw error(.tooDeep(limit: maximalDepth)) }
    depth += 1
    offset += 1
  }
}
