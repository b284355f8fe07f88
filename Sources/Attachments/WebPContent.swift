/// Removes metadata from WebP files (RFC 9649 §2).
///
/// The picture, its transparency, animation and ICC profile are kept. Everything else is removed: Exif except the orientation, XMP, unknown
/// chunks, and any data after the RIFF container.
enum WebPContent {
  private static let visible: Set = ["VP8 ", "VP8L", "ALPH", "ANIM", "ICCP"]
  private static let visibleInFrame: Set = ["VP8 ", "VP8L", "ALPH"]
  private static let exifLimit = 1 << 20
  private static let exifFlag: UInt8 = 0x08
  private static let xmpFlag: UInt8 = 0x04

  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    try scanner.skip(4)
    let limit = try scanner.littleEndianInteger(bytes: 4) + 8
    try scanner.skip(4)
    guard limit <= scanner.size else { throw .malformed("it is truncated") }
    var extended: [UInt8]?
    var body = ContentPieces()
    var orientation: UInt8?
    while scanner.offset < limit {
      let start = scanner.offset
      let chunk = try chunk(&scanner, limit: limit)
      switch chunk.name {
      case "VP8X":
        guard start == 12, chunk.length == 10 else { throw .malformed("its header is wrong") }
        extended = try scanner.bytes(10)
      case "EXIF":
        var bytes = try scanner.bytes(min(chunk.length, exifLimit))[...]
        if bytes.starts(with: "Exif\0\0".utf8) { bytes = bytes.dropFirst(6) }
        orientation = orientation ?? ExifData(bytes).orientation
      case "ANMF": try body.append(try frame(&scanner, start: start, chunk))
      case _ where visible.contains(chunk.name): try body.append(start..<chunk.end)
      default: break
      }
      try scanner.move(to: chunk.end)
    }
    guard body.size > 0 else { throw .malformed("it has no picture") }
    return try file(extended, body, orientation)
  }

  private struct Chunk {
    let name: String
    let length: Int
    /// The end of the chunk, including its padding.
    let end: Int
  }

  private static func chunk(_ scanner: inout FileScanner, limit: Int) throws(ScanError) -> Chunk {
    guard limit - scanner.offset >= 8 else { throw .malformed("it is truncated") }
    let name = try scanner.code()
    let length = try scanner.littleEndianInteger(bytes: 4)
    let end = scanner.offset + length + length % 2
    guard end <= limit else { throw .malformed("a chunk is too long") }
    return Chunk(name: name, length: length, end: end)
  }

  /// Returns a frame of an animation without its unknown chunks.
  private static func frame(
    _ scanner: inout FileScanner, start: Int, _ chunk: Chunk
  ) throws(ScanError) -> ContentPieces {
    guard chunk.length >= 16 else { throw .malformed("a frame is too short") }
    let header = scanner.offset..<scanner.offset + 16
    try scanner.skip(16)
    var parts = ContentPieces()
    while scanner.offset < chunk.end {
      let start = scanner.offset
      let part = try Self.chunk(&scanner, limit: chunk.end)
      if visibleInFrame.contains(part.name) { try parts.append(start..<part.end) }
      try scanner.move(to: part.end)
    }
    var frame = ContentPieces()
    try frame.append(Array("ANMF".utf8) + bytes(16 + parts.size))
    try frame.append(header)
    try frame.append(parts)
    return frame
  }

  /// Prepends the header to the chunks. The simple format, without `VP8X`, has no place for an orientation.
  private static func file(
    _ extended: [UInt8]?, _ body: ContentPieces, _ orientation: UInt8?
  ) throws(ScanError) -> ContentPieces {
    var content = ContentPieces()
    var header = Array("WEBP".utf8)
    var exif: [UInt8] = []
    if var extended {
      extended[0] &= ~(exifFlag | xmpFlag)
      if let orientation {
        extended[0] |= exifFlag
        let data = ExifData.minimal(orientation: orientation)
        exif = Array("EXIF".utf8) + bytes(data.count) + data
      }
      header += Array("VP8X".utf8) + bytes(extended.count) + extended
    }
    try content.append(Array("RIFF".utf8) + bytes(header.count + body.size + exif.count) + header)
    try content.append(body)
    try content.append(exif)
    return content
  }

  private static func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
}
