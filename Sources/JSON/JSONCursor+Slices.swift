/// Values as they came, beside what was read of them: parts of the text, of which no byte is copied.
extension JSONCursor {
  /// Where the next value begins, which is not taken.
  package mutating func start() throws(JSONError) -> Int {
    _ = try nextByte()
    return offset
  }

  /// The bytes from where a value began up to what was taken last.
  /// - Parameter start: what `start()` has answered before.
  package func slice(from start: Int) -> ArraySlice<UInt8> { bytes[start..<offset] }
}

/// Values that are read later, when it is known whether they are wanted.
extension JSONCursor {
  /// Reads a value again that was skipped before.
  /// - Parameter start: where it begins.
  package func again<Value>(from start: Int, _ body: (inout JSONCursor) throws -> Value) rethrows -> Value {
    var cursor = self
    cursor.offset = start
    return try body(&cursor)
  }
}
