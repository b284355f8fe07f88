/// Reads a file in steps, with a buffer of 64 KiB.
struct FileScanner {
  let file: AttachmentFile
  /// The offset of the next byte to read.
  private(set) var offset = 0
  private var buffer: [UInt8] = []
  /// The offset of the buffer's first byte.
  private var start = 0
  static let bufferSize = 65536

  init(_ file: AttachmentFile) { self.file = file }

  var size: Int { file.size }

  /// Moves to an offset.
  /// - Throws: `.malformed` for an offset beyond the end of the file.
  mutating func move(to offset: Int) throws(ScanError) {
    guard offset >= 0, offset <= size else { throw .malformed("it is truncated") }
    self.offset = offset
  }

  mutating func skip(_ count: Int) throws(ScanError) {
    guard count >= 0, count <= size - offset else { throw .malformed("it is truncated") }
    offset += count
  }

  mutating func byte() throws(ScanError) -> UInt8 {
    guard offset < size else { throw .malformed("it is truncated") }
    if offset < start || offset >= start + buffer.count { try fill() }
    defer { offset += 1 }
    return buffer[offset - start]
  }

  /// Reads the given number of bytes, which the caller must limit.
  mutating func bytes(_ count: Int) throws(ScanError) -> [UInt8] {
    guard count >= 0, count <= size - offset else { throw .malformed("it is truncated") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if offset < start || offset >= start + buffer.count { try fill() }
      let piece = buffer[(offset - start)...].prefix(count - bytes.count)
      bytes += piece
      offset += piece.count
    }
    return bytes
  }

  /// Reads an unsigned integer, most significant byte first.
  mutating func integer(bytes count: Int) throws(ScanError) -> Int {
    var value: UInt64 = 0
    for _ in 0..<count { value = value << 8 | UInt64(try byte()) }
    guard let value = Int(exactly: value) else { throw .malformed("a size is too large") }
    return value
  }

  /// Reads an unsigned integer, least significant byte first.
  mutating func littleEndianInteger(bytes count: Int) throws(ScanError) -> Int {
    var value = 0
    for position in 0..<count { value |= Int(try byte()) << (8 * position) }
    return value
  }

  /// Reads a four-character code.
  mutating func code() throws(ScanError) -> String {
    String(decoding: try bytes(4).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
  }

  /// Moves to the next byte with this value.
  mutating func find(_ wanted: UInt8) throws(ScanError) {
    while offset < size {
      if offset < start || offset >= start + buffer.count { try fill() }
      if let found = buffer[(offset - start)...].firstIndex(of: wanted) {
        offset = start + found
        return
      }
      offset = start + buffer.count
    }
    throw .malformed("it is truncated")
  }

  private mutating func fill() throws(ScanError) {
    start = offset
    do throws(AttachmentError) {
      buffer = try file.bytes(at: offset, count: min(Self.bufferSize, size - offset))
    } catch { throw .file(error) }
  }
}
