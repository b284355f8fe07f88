/// Reads JSON (RFC 8259) from bytes, one value after another, without building a tree.
///
/// The caller requests the values that it expects and skips all other values, so a page of posts needs a single pass. Each error gives its
/// line and column. Invalid UTF-8 and lone surrogates in strings become U+FFFD. If a name occurs more than once in an object, the caller
/// receives every occurrence.
package struct JSONCursor {
  package let bytes: [UInt8]
  /// The offset of the next byte.
  package internal(set) var offset = 0
  let maximalDepth: Int
  var depth = 0

  /// - Parameter maximalDepth: how deeply objects and arrays may be nested; at most 64.
  package init(_ bytes: [UInt8], maximalDepth: Int = 64) {
    precondition(maximalDepth <= 64, "the scanner keeps one bit of a word for each level")
    self.bytes = bytes
    self.maximalDepth = maximalDepth
    // A byte order mark is not JSON, but some editors write one, and a reader may ignore it (RFC 8259 §8.1).
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// The type of the next value.
  package enum Kind: Sendable { case object, array, string, number, boolean, null }

  /// Looks at the next value without consuming it.
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

  /// Consumes `null` if it is the next value, and returns whether it was.
  package mutating func null() throws(JSONError) -> Bool {
    guard try nextByte() == UInt8(ascii: "n") else { return false }
    try scan { scanner throws(JSONScanError) in try scanner.take("null", orElse: .wordNull) }
    return true
  }

  package mutating func boolean() throws(JSONError) -> Bool {
    switch try nextByte() {
    case UInt8(ascii: "t"):
      try scan { scanner throws(JSONScanError) in try scanner.take("true", orElse: .wordTrue) }
      return true
    case UInt8(ascii: "f"):
      try scan { scanner throws(JSONScanError) in try scanner.take("false", orElse: .wordFalse) }
      return false
    default: throw error(.type(expected: "true or false"))
    }
  }

  /// Consumes any value and returns the range of its bytes.
  @discardableResult
  package mutating func skip() throws(JSONError) -> Range<Int> {
    let levels = maximalDepth - depth
    return try scan { scanner throws(JSONScanError) in
      _ = try scanner.next()
      let start = scanner.offset
      try scanner.skip(levels: levels)
      return start..<scanner.offset
    }
  }

  /// Checks that nothing but whitespace is left.
  package mutating func end() throws(JSONError) {
    skipSpace()
    if offset < bytes.count { throw error(.syntax("the end")) }
  }

  /// Returns the position of the next byte that is not whitespace.
  package mutating func position() -> JSONPosition {
    skipSpace()
    return JSONPosition(of: offset, in: bytes)
  }

  /// Returns the position of an offset.
  package func position(of offset: Int) -> JSONPosition { JSONPosition(of: offset, in: bytes) }
}

extension JSONCursor {
  /// Consumes an object. The body is called with each member's name, and must consume the member's value.
  package mutating func members(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    guard try peek() == .object else { throw error(.type(expected: "an object")) }
    try open()
    var isFirst = true
    let text = bytes
    try unsafe text.withUnsafeBytes { text in
      while let name = try scan({ scanner throws(JSONScanError) in try scanner.nextName(isFirst: isFirst) }) {
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

  /// Consumes an array. The body is called for each element, and must consume the element.
  package mutating func elements(_ body: (inout JSONCursor) throws -> Void) throws {
    guard try peek() == .array else { throw error(.type(expected: "an array")) }
    try open()
    var isFirst = true
    while try scan({ scanner throws(JSONScanError) in try scanner.nextElement(isFirst: isFirst) }) {
      isFirst = false
      let start = offset
      try body(&self)
      precondition(offset > start, "an element of an array was not taken")
    }
    depth -= 1
  }

  /// Consumes an array, reading every element with the same closure.
  package mutating func list<Element>(_ element: (inout JSONCursor) throws -> Element) throws -> [Element] {
    var list: [Element] = []
    try elements { cursor in list.append(try element(&cursor)) }
    return list
  }

  /// Consumes an opening bracket.
  mutating func open() throws(JSONError) {
    guard depth < maximalDepth else { throw error(.tooDeep(limit: maximalDepth)) }
    depth += 1
    offset += 1
  }
}

extension JSONCursor {
  /// Consumes a string and decodes its escapes.
  package mutating func string() throws(JSONError) -> String {
    guard try nextByte() == UInt8(ascii: "\"") else { throw error(.type(expected: "a string")) }
    return try scan { scanner throws(JSONScanError) in try scanner.string() }
  }

  /// Consumes a string or `null`, and returns nil for `null`.
  package mutating func stringOrNull() throws(JSONError) -> String? { try null() ? nil : try string() }

  /// Consumes any value, and returns it if it is a string; otherwise returns nil.
  package mutating func stringOrSkip() throws(JSONError) -> String? {
    let levels = maximalDepth - depth
    return try scan { scanner throws(JSONScanError) in
      if try scanner.next() == UInt8(ascii: "\"") { return try scanner.string() }
      try scanner.skip(levels: levels)
      return nil
    }
  }
}

/// Access to the bytes of values, as slices of the text, without copying.
extension JSONCursor {
  /// Returns the offset of the next value, which is not consumed.
  package mutating func start() throws(JSONError) -> Int {
    _ = try nextByte()
    return offset
  }

  /// Returns the bytes from the start of a value up to the current offset.
  /// - Parameter start: an earlier result of `start()`.
  package func slice(from start: Int) -> ArraySlice<UInt8> { bytes[start..<offset] }
}

/// Rereads skipped values.
extension JSONCursor {
  /// Reads a skipped value.
  /// - Parameter start: the offset of the value.
  package func again<Value>(from start: Int, _ body: (inout JSONCursor) throws -> Value) rethrows -> Value {
    var cursor = self
    cursor.offset = start
    return try body(&cursor)
  }
}

/// Lends the bytes to a scanner, one step at a time.
extension JSONCursor {
  /// Runs a step of the scanner and converts its fault to an error with a position.
  @inline(__always)
  mutating func scan<Taken>(
    _ step: (inout JSONScanner) throws(JSONScanError) -> Taken
  ) throws(JSONError) -> Taken {
    var reached = offset
    do throws(JSONScanError) {
      let taken = try unsafe bytes.withUnsafeBufferPointer { bytes throws(JSONScanError) in
        var scanner = unsafe JSONScanner(UnsafeRawBufferPointer(bytes), at: reached)
        defer { reached = scanner.offset }
        return try step(&scanner)
      }
      offset = reached
      return taken
    } catch {
      offset = reached
      throw self.error(error.kind(limit: maximalDepth))
    }
  }

  /// Returns the next byte that is not whitespace. The byte is not consumed.
  @inline(__always) mutating func nextByte() throws(JSONError) -> UInt8 {
    try scan { scanner throws(JSONScanError) in try scanner.next() }
  }

  mutating func skipSpace() {
    var reached = offset
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var scanner = unsafe JSONScanner(UnsafeRawBufferPointer(bytes), at: reached)
      scanner.skipSpace()
      reached = scanner.offset
    }
    offset = reached
  }

  func error(_ kind: JSONError.Kind, at offset: Int? = nil) -> JSONError {
    JSONError(kind: kind, position: JSONPosition(of: offset ?? self.offset, in: bytes))
  }
}
