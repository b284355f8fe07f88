/// Scans JSON (RFC 8259) in borrowed memory. A scanner must not outlive this memory.
///
/// The scanner uses unsafe memory access for speed: a page of posts has more than a million bytes. Bounds checks and reference counting for
/// each byte would take several times as long as the work itself. Memory is read only in `byte`, `halfWord` and `view`, always after a
/// comparison of `offset` with `count`. `rest` is passed to C loops together with the number of bytes. A fault always concerns the byte at
/// `offset`.
@safe struct JSONScanner {
  private let memory: UnsafeRawBufferPointer
  let count: Int
  /// The next byte.
  var offset: Int

  init(_ memory: UnsafeRawBufferPointer, at offset: Int) {
    unsafe self.memory = memory
    count = memory.count
    self.offset = offset
  }

  /// Creates another scanner for the same borrowed memory.
  init(_ other: JSONScanner, at offset: Int) { unsafe self.init(other.memory, at: offset) }

  /// The byte at `offset`, which must be below `count`.
  @inline(__always) var byte: UInt8 { unsafe memory[offset] }

  /// Returns the byte at another offset, which must also be below `count`.
  @inline(__always) func byte(at offset: Int) -> UInt8 { unsafe memory[offset] }

  /// The address of the `count - offset` bytes from `offset` on; `nil` for empty memory.
  @inline(__always) @unsafe var rest: UnsafePointer<UInt8>? {
    guard let start = unsafe memory.baseAddress else { return nil }
    return unsafe start.assumingMemoryBound(to: UInt8.self) + offset
  }

  /// The address of all `count` bytes; `nil` for empty memory.
  @inline(__always) @unsafe var start: UnsafePointer<UInt8>? {
    unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  /// Returns the four bytes from an offset on. The first byte is the lowest. The offsets of these bytes must be below `count`.
  @inline(__always) func halfWord(at offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Returns part of the borrowed memory.
  @inline(__always) @unsafe func view(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: memory[range])
  }

  @inline(__always) mutating func skipSpace() {
    while offset < count, byte <= 0x20, Self.isSpace(byte) { offset += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

  /// Returns the next byte that is not whitespace. The byte is not consumed.
  @inline(__always) mutating func next() throws(JSONScanError) -> UInt8 {
    skipSpace()
    guard offset < count else { throw .truncated }
    return byte
  }

  /// Consumes a literal, such as `null`, whose first letter has already been seen.
  @inline(__always) mutating func take(_ word: StaticString, orElse fault: JSONScanError) throws(JSONScanError) {
    let length = word.utf8CodeUnitCount
    let end = offset &+ length
    let ending = unsafe UnsafeRawPointer(word.utf8Start).loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)
    if end <= count, halfWord(at: end &- 4) == UInt32(littleEndian: ending) {
      offset = end
    } else {
      try takeSlowly(word, orElse: fault)
    }
  }

  /// Finds the fault in a literal.
  private mutating func takeSlowly(_ word: StaticString, orElse fault: JSONScanError) throws(JSONScanError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard offset < count else { throw .truncated }
      guard unsafe word.utf8Start[index] == byte else { throw fault }
      offset += 1
    }
  }

  /// Consumes a number according to the grammar of RFC 8259 §6.
  mutating func skipNumber() throws(JSONScanError) {
    if byte == UInt8(ascii: "-") { offset += 1 }
    let start = offset
    let isZero = offset < count && byte == UInt8(ascii: "0")
    try skipDigits()
    if isZero, offset > start + 1 {
      offset = start
      throw .leadingZero
    }
    if offset < count, byte == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if offset < count, byte | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < count, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(JSONScanError) {
    let start = offset
    while offset < count, byte &- 0x30 < 10 { offset += 1 }
    guard offset > start else { throw offset < count ? .digit : .truncated }
  }
}
