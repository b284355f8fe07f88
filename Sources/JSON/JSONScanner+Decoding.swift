internal import CPlainRun

/// Strings made of what is taken. Invalid UTF-8 and lone surrogates become U+FFFD.
extension JSONScanner {
  /// Takes a string from its opening quote on, and decodes it.
  mutating func string() throws(JSONFault) -> String {
    let start = offset + 1
    let hasEscapes = try skipString()
    let content = start..<(offset - 1)
    return hasEscapes ? decoded(content) : unsafe String(decoding: view(content), as: UTF8.self)
  }

  /// The text of the content of a string that was taken whole.
  func decoded(_ content: Range<Int>) -> String {
    // No escape is longer decoded than written; and plain bytes are moved together, of which some may be none of ours.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count + plain_run_step) { room in
      var written = 0
      var reader = JSONScanner(self, at: content.lowerBound)
      while reader.offset < content.upperBound {
        unsafe written &+= reader.movePlain(to: room.baseAddress! + written)
        // The quote behind the content ends it too.
        guard reader.offset < content.upperBound, let scalar = try? reader.escape() else { break }
        unsafe Self.write(scalar.value, to: room, &written)
      }
      return unsafe String(decoding: UnsafeBufferPointer(rebasing: room[..<written]), as: UTF8.self)
    }
  }

  /// Writes the UTF-8 of a scalar (RFC 3629 §3).
  @inline(__always) private static func write(
    _ scalar: UInt32, to room: UnsafeMutableBufferPointer<UInt8>, _ written: inout Int
  ) {
    func continuation(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar &>> shift & 0x3f) }
    if scalar < 0x80 {
      unsafe room[written] = UInt8(scalar)
      written &+= 1
    } else if scalar < 0x800 {
      unsafe room[written] = UInt8(0xc0 | scalar &>> 6)
      unsafe room[written &+ 1] = continuation(0)
      written &+= 2
    } else if scalar < 0x10000 {
      unsafe room[written] = UInt8(0xe0 | scalar &>> 12)
      unsafe room[written &+ 1] = continuation(6)
      unsafe room[written &+ 2] = continuation(0)
      written &+= 3
    } else {
      unsafe room[written] = UInt8(0xf0 | scalar &>> 18)
      unsafe room[written &+ 1] = continuation(12)
      unsafe room[written &+ 2] = continuation(6)
      unsafe room[written &+ 3] = continuation(0)
      written &+= 4
    }
  }
}
