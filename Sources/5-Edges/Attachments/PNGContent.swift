/// Removes metadata from PNG files (PNG, third edition, §11).
///
/// The chunks that affect how the picture looks, including animations, are kept if they have exactly the length that the format defines;
/// programs ignore them otherwise. Everything else is removed: text, the name of the ICC profile, Exif except the orientation, the time,
/// programs' own chunks, and any data in or after the end of the picture.
struct PNGContent {
  private var head = ContentPieces()
  private var body = ContentPieces()
  private var orientation: UInt8?
  private var colorType: UInt8 = 0
  private var paletteCount = 0
  private var hasPicture = false
  /// The chunks read so far that a file can contain only once.
  private var seen: Set<String> = []

  /// The maximum number of Exif bytes to read; the orientation is near the beginning.
  private static let exifLimit = 1 << 20
  /// The maximum size of a compressed ICC profile; larger profiles are removed.
  private static let profileLimit = 4 << 20
  private static let end = chunk("IEND", [])

  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    guard try scanner.bytes(8) == MediaType.pngSignature else { throw .malformed("it has no signature") }
    var content = PNGContent()
    try content.head.append(0..<8)
    while try content.appendChunk(&scanner) {}
    return try content.result()
  }

  /// Reads a chunk and appends it if it is needed.
  /// - Returns: whether more chunks follow.
  private mutating func appendChunk(_ scanner: inout FileScanner) throws(ScanError) -> Bool {
    let start = scanner.offset
    let length = try scanner.integer(bytes: 4)
    let name = try scanner.code()
    guard length <= Int(Int32.max) else { throw .malformed("a chunk is too long") }
    let payload = scanner.offset
    let end = payload + length + 4
    guard end <= scanner.size else { throw .malformed("it is truncated") }
    guard (name == "IHDR") == (start == 8) else { throw .malformed("its header is missing or repeated") }
    switch name {
    case "IHDR":
      guard length == 13 else { throw .malformed("its header is wrong") }
      colorType = try scanner.bytes(10)[9]
      try head.append(start..<end)
    case "PLTE":
      guard length % 3 == 0, 3...768 ~= length else { throw .malformed("its palette is wrong") }
      paletteCount = length / 3
      try body.append(start..<end)
    case "IDAT", "fdAT", "fcTL":
      if name == "IDAT" { hasPicture = true }
      guard name != "fcTL" || length == 26 else { throw .malformed("a chunk has a wrong length, \(name)") }
      try body.append(start..<end)
    case "IEND": break
    case "eXIf":
      let bytes = try scanner.bytes(min(length, Self.exifLimit))
      orientation = orientation ?? ExifData(bytes[...]).orientation
    case "iCCP":
      if length <= Self.profileLimit, seen.insert(name).inserted {
        try body.append(Self.profile(try scanner.bytes(length)))
      }
    case _ where hasDefinedLength(name, length):
      if seen.insert(name).inserted { try body.append(start..<end) }
    // The case of the first letter specifies whether a decoder needs the chunk.
    case _ where name.utf8.first! & 0x20 == 0: throw .malformed("it has an unknown chunk, \(Self.printable(name))")
    default: break
    }
    try scanner.move(to: end)
    return name != "IEND"
  }

  private func result() throws(ScanError) -> ContentPieces {
    guard hasPicture else { throw .malformed("it has no picture") }
    var content = head
    if let orientation { try content.append(Self.chunk("eXIf", ExifData.minimal(orientation: orientation))) }
    try content.append(body)
    try content.append(Self.end)
    return content
  }

  /// Returns whether a chunk is known, and has the length that the format defines.
  private func hasDefinedLength(_ name: String, _ length: Int) -> Bool {
    switch name {
    case "cHRM": length == 32
    case "gAMA", "cICP": length == 4
    case "sRGB": length == 1
    case "mDCV": length == 24
    case "cLLI", "acTL": length == 8
    case "pHYs": length == 9
    case "hIST": length == 2 * paletteCount
    case "sBIT": length == [0: 1, 2: 3, 3: 3, 4: 2, 6: 4][colorType]
    case "bKGD": length == [0: 2, 2: 6, 3: 1, 4: 2, 6: 6][colorType]
    case "tRNS": colorType == 3 ? length <= paletteCount : length == [0: 2, 2: 6][colorType]
    default: false
    }
  }

  /// Returns an ICC profile's chunk with the name replaced, because the name can be any text; nothing if the chunk is not valid.
  private static func profile(_ payload: [UInt8]) -> [UInt8] {
    // The name has 1 to 79 bytes; a zero and the compression method follow.
    guard let end = payload.firstIndex(of: 0), 1...79 ~= end, payload.count > end + 2, payload[end + 1] == 0 else {
      return []
    }
    return chunk("iCCP", Array("icc\0\0".utf8) + payload[(end + 2)...])
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

  /// Returns the CRC-32 (PNG, third edition, annex D), computed bit by bit: profiles rarely have more than a few kilobytes.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
  }
}
