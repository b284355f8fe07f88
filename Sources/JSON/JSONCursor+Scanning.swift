/// The loan of the bytes to a scanner, for one step each.
extension JSONCursor {
  /// Takes what the scanner takes; a fault becomes an error with its place.
  @inline(__always)
  mutating func scan<Taken>(
    _ step: (inout JSONScanner) throws(JSONFault) -> Taken
  ) throws(JSONError) -> Taken {
    var reached = offset
    do throws(JSONFault) {
      let taken = try unsafe bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in
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

  /// The next byte that is not white space, not taken.
  mutating func nextByte() throws(JSONError) -> UInt8 {
    try scan { scanner throws(JSONFault) in try scanner.next() }
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
    JSONError(kind: kind, place: JSONPlace(of: offset ?? self.offset, in: bytes))
  }
}
