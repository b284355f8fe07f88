/// Reads bytes from the beginning, and copies those that are known. The others are zero.
struct KnownBytes {
  private let bytes: [UInt8]
  private var offset = 0
  private(set) var result: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    result = [UInt8](repeating: 0, count: bytes.count)
  }

  /// The number of bytes that have not been read.
  var rest: Int { bytes.count - offset }

  /// Returns a byte that follows.
  func peek(_ distance: Int) throws(ScanError) -> UInt8 {
    guard distance < rest else { throw .malformed("a description of a codec is too short") }
    return bytes[offset + distance]
  }

  mutating func keep(_ count: Int) throws(ScanError) {
    guard count <= rest else { throw .malformed("a description of a codec is too short") }
    result.replaceSubrange(offset..<offset + count, with: bytes[offset..<offset + count])
    offset += count
  }

  mutating func keepByte() throws(ScanError) -> Int { try keepInteger(1) }

  /// Keeps an unsigned integer, most significant byte first, and returns it.
  mutating func keepInteger(_ count: Int) throws(ScanError) -> Int {
    var value = 0
    for distance in 0..<count { value = value << 8 | Int(try peek(distance)) }
    try keep(count)
    return value
  }

  /// Keeps a two-byte length and that many bytes.
  mutating func keepLengthPrefixed() throws(ScanError) { try keep(try keepInteger(2)) }

  mutating func skip(_ count: Int) throws(ScanError) {
    guard count <= rest else { throw .malformed("a description of a codec is too short") }
    offset += count
  }

  /// Replaces the next bytes.
  mutating func replace(_ replacement: [UInt8]) throws(ScanError) {
    let start = offset
    try skip(replacement.count)
    result.replaceSubrange(start..<offset, with: replacement)
  }
}
