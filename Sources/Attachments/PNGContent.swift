/// Removes metadata from PNG files (PNG, third edition, §11).
///
/// The chunks that affect how the picture looks, including animations, are kept. Everything else is removed: text, Exif except the
/// orientation, the time, programs' own chunks, and any data after the end of the picture.
enum PNGContent {
  private static let critical: Set = ["IHDR", "PLTE", "IDAT", "IEND"]
  private static let visible: Set = [
    "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "acTL",
    "fcTL",
    "fdAT",
  ]
  /// The maximum number of Exif bytes to read; the orientation is near the beginning.
  private static let exifLimit = 1 << 20

  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    guard try scanner.bytes(8) == MediaType.pngSignature else { throw .malformed("it has no signature") }
    var head = ContentPieces()
    var body = ContentPieces()
    var orientation: UInt8?
    var hasPicture = false
    try head.append(0..<8)
    while true {
      let start = scanner.offset
      let length = try scanner.integer(bytes: 4)
      let name = try scanner.code()
      guard length <= Int(Int32.max) else { throw .malformed("a chunk is too long") }
      let payload = scanner.offset
      let end = payload + length + 4
      switch name {
      case "IHDR":
        guard start == 8, length == 13 else { throw .malformed("its header is wrong") }
        try head.append(start..<end)
      case _ where start == 8: throw .malformed("its header is missing")
      case "eXIf":
        let bytes = try scanner.bytes(min(length, exifLimit))
        orientation = orientation ?? ExifData(bytes[...]).orientation
      case _ where critical.contains(name) || visible.contains(name):
        if name == "IDAT" { hasPicture = true }
        try body.append(start..<end)
      // The case of the first letter specifies whether a decoder needs the chunk.
      case _ where name.utf8.first! & 0x20 == 0: throw .malformed("it has an unknown chunk, \(printable(name))")
      default: break
      }
      try scanner.move(to: end)
      if name == "IEND" { break }
    }
    guard hasPicture else { throw .malformed("it has no picture") }
    if let orientation { try head.append(chunk("eXIf", ExifData.minimal(orientation: orientation))) }
    try head.append(body)
    return head
  }

  private static func printable(_ name: String) -> String {
    String(name.map { $0.isASCII && $0.isLetter ? $0 : "?" })
  }

  private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + payload
    return bytes(UInt32(payload.count)) + content + bytes(checksum(content))
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }

  /// Returns the CRC-32 (PNG, third edition, annex D). The CRC is computed bit by bit, because the input has only 30 bytes.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
  }
}
