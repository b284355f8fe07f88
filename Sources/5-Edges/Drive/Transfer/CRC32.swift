/// The cyclic redundancy check of ISO 3309 and zlib, with the reflected polynomial 0xEDB88320.
///
/// Each step processes eight bytes with eight tables, so that a transfer is limited by the network and not by the checksum.
package struct CRC32: Sendable {
  private var state: UInt32 = 0xffff_ffff

  package init() {}

  /// The checksum of all bytes so far.
  package var value: UInt32 { ~state }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    unsafe Self.tables.withUnsafeBufferPointer { tables in
      var offset = 0
      while offset &+ 8 <= bytes.count {
        let word =
          unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ UInt64(state)
        state = 0
        for index in 0..<8 {
          let byte = Int(truncatingIfNeeded: word &>> UInt64(8 &* index)) & 0xff
          state ^= unsafe tables[(7 &- index) &* 256 &+ byte]
        }
        offset &+= 8
      }
      while offset < bytes.count {
        state = unsafe tables[Int((state ^ UInt32(bytes[offset])) & 0xff)] ^ state &>> 8
        offset &+= 1
      }
    }
    self.state = state
  }

  /// Table `n` starts at `256 * n` and advances a byte by `n` more bytes.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    for byte in UInt32(0)..<256 {
      var value = byte
      for _ in 0..<8 {
        let isOdd = value & 1 == 1
        value >>= 1
        if isOdd { value ^= 0xedb8_8320 }
      }
      tables.append(value)
    }
    for index in 256..<2048 {
      let value = tables[index - 256]
      tables.append(tables[Int(value & 0xff)] ^ (value >> 8))
    }
    return tables
  }()
}
