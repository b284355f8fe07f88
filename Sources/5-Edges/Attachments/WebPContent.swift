/// Removes metadata from WebP files (RFC 9649 §2).
///
/// The picture, its transparency, animation and ICC profile are kept. Everything else is removed: Exif except the orientation, XMP, unknown
/// chunks, bytes at the end of a known chunk, and any data after the RIFF container.
struct WebPContent {
  private static let exifLimit = 1 << 20
  private static let exifFlag: UInt8 = 0x08
  /// The flags of an ICC profile, transparency and animation.
  private static let keptFlags: UInt8 = 0x32

  /// The content of `VP8X`, for a file in the extended format.
  private var extended: [UInt8]?
  private var body = ContentPieces()
  private var orientation: UInt8?
  /// The chunks read so far that a file can contain only once.
  private var seen: Set<String> = []

  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    try scanner.skip(4)
    let limit = try scanner.littleEndianInteger(bytes: 4) + 8
    try scanner.skip(4)
    guard limit <= scanner.size else { throw .malformed("it is truncated") }
    var content = WebPContent()
    while scanner.offset < limit {
      let chunk = try Chunk(&scanner, limit: limit)
      try content.append(chunk, &scanner)
      try scanner.move(to: chunk.end)
    }
    return try content.result()
  }

  private struct Chunk {
    let name: String
    /// The offset of the chunk's name.
    let start: Int
    let length: Int
    /// The end of the chunk, including its padding.
    let end: Int

    init(_ scanner: inout FileScanner, limit: Int) throws(ScanError) {
      start = scanner.offset
      guard limit - start >= 8 else { throw .malformed("it is truncated") }
      name = try scanner.code()
      length = try scanner.littleEndianInteger(bytes: 4)
      end = scanner.offset + length + length % 2
      guard end <= limit else { throw .malformed("a chunk is too long") }
    }

    /// Returns the whole chunk, with a zero as its padding.
    func content(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
      var content = ContentPieces()
      let dataEnd = start + 8 + length
      try content.append(start..<dataEnd)
      guard dataEnd < end else { return content }
      try scanner.move(to: dataEnd)
      if try scanner.byte() == 0 { try content.append(dataEnd..<end) } else { try content.append([0]) }
      return content
    }
  }

  private mutating func append(_ chunk: Chunk, _ scanner: inout FileScanner) throws(ScanError) {
    switch chunk.name {
    case "VP8X":
      guard chunk.start == 12, chunk.length == 10 else { throw .malformed("its header is wrong") }
      let header = try scanner.bytes(10)
      // Three reserved bytes follow the flags.
      extended = [header[0] & Self.keptFlags, 0, 0, 0] + header[4...]
    case "EXIF":
      var bytes = try scanner.bytes(min(chunk.length, Self.exifLimit))[...]
      if bytes.starts(with: "Exif\0\0".utf8) { bytes = bytes.dropFirst(6) }
      orientation = orientation ?? ExifData(bytes).orientation
    case "ANMF": try body.append(try Self.frame(&scanner, chunk))
    case "ANIM":
      guard chunk.length >= 6 else { throw .malformed("a chunk is too short") }
      if seen.insert("ANIM").inserted {
        try body.append(Array("ANIM".utf8) + Self.bytes(6) + (try scanner.bytes(6)))
      }
    case "ICCP":
      // Only the extended format has a profile.
      guard extended != nil, !seen.contains("ICCP"),
        let size = ICCProfile.size(beginning: try scanner.bytes(min(chunk.length, ICCProfile.headerSize))[...])
      else { return }
      seen.insert("ICCP")
      try scanner.move(to: chunk.start + 8)
      let count = min(size, chunk.length)
      try body.append(Array("ICCP".utf8) + Self.bytes(count))
      try body.append(scanner.offset..<scanner.offset + count)
      if count % 2 == 1 { try body.append([0]) }
    case "VP8 ", "VP8L": if seen.insert("picture").inserted { try body.append(chunk.content(&scanner)) }
    case "ALPH": if seen.insert("ALPH").inserted { try body.append(chunk.content(&scanner)) }
    default: break
    }
  }

  /// Returns a frame of an animation without its unknown chunks.
  private static func frame(_ scanner: inout FileScanner, _ chunk: Chunk) throws(ScanError) -> ContentPieces {
    guard chunk.length >= 16 else { throw .malformed("a frame is too short") }
    let header = scanner.offset..<scanner.offset + 16
    try scanner.skip(16)
    var parts = ContentPieces()
    var names: Set<String> = []
    while scanner.offset < chunk.end {
      let part = try Chunk(&scanner, limit: chunk.end)
      switch part.name {
      case "VP8 ", "VP8L": if names.insert("picture").inserted { try parts.append(part.content(&scanner)) }
      case "ALPH": if names.insert("ALPH").inserted { try parts.append(part.content(&scanner)) }
      default: break
      }
      try scanner.move(to: part.end)
    }
    var frame = ContentPieces()
    try frame.append(Array("ANMF".utf8) + bytes(16 + parts.size))
    try frame.append(header)
    try frame.append(parts)
    return frame
  }

  /// Prepends the header to the chunks. The simple format, without `VP8X`, has no place for an orientation.
  private func result() throws(ScanError) -> ContentPieces {
    guard body.size > 0 else { throw .malformed("it has no picture") }
    var content = ContentPieces()
    var header = Array("WEBP".utf8)
    var exif: [UInt8] = []
    if var extended {
      if !seen.contains("ICCP") { extended[0] &= ~0x20 }
      if let orientation {
        extended[0] |= Self.exifFlag
        let data = ExifData.minimal(orientation: orientation)
        exif = Array("EXIF".utf8) + Self.bytes(data.count) + data
      }
      header += Array("VP8X".utf8) + Self.bytes(extended.count) + extended
    }
    try content.append(Array("RIFF".utf8) + Self.bytes(header.count + body.size + exif.count) + header)
    try content.append(body)
    try content.append(exif)
    return content
  }

  private static func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
}
