/// Removes metadata from GIF files (GIF89a §§18–26).
///
/// The pictures, their timing and transparency, the repeat count and the ICC profile are kept. Everything else is removed:
/// comments, XMP, programs' own extensions, and any data after the trailer.
enum GIFContent {
  private static let keptApplications = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    var content = ContentPieces()
    try scanner.skip(10)
    let screen = try scanner.byte()
    try scanner.skip(2 + colorTableSize(screen))
    try content.append(0..<scanner.offset)
    var hasPicture = false
    while true {
      let start = scanner.offset
      switch try scanner.byte() {
      case 0x2C:
        try scanner.skip(8)
        let picture = try scanner.byte()
        try scanner.skip(colorTableSize(picture) + 1)
        try skipBlocks(&scanner)
        try content.append(start..<scanner.offset)
        hasPicture = true
      case 0x21:
        let isKept = try isKeptExtension(&scanner)
        try skipBlocks(&scanner)
        if isKept { try content.append(start..<scanner.offset) }
      case 0x3B:
        guard hasPicture else { throw .malformed("it has no picture") }
        try content.append(start..<scanner.offset)
        return content
      default: throw .malformed("it has an unknown block")
      }
    }
  }

  /// Reads the label of an extension, and leaves the scanner at its first block.
  private static func isKeptExtension(_ scanner: inout FileScanner) throws(ScanError) -> Bool {
    switch try scanner.byte() {
    // Graphic control and plain text.
    case 0xF9, 0x01: return true
    case 0xFF:
      let blocks = scanner.offset
      let name = String(decoding: try scanner.bytes(Int(try scanner.byte())), as: UTF8.self)
      try scanner.move(to: blocks)
      return keptApplications.contains(name)
    default: return false
    }
  }

  /// Returns the size in bytes of the colour table that the flags describe.
  private static func colorTableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  private static func skipBlocks(_ scanner: inout FileScanner) throws(ScanError) {
    while true {
      let length = Int(try scanner.byte())
      if length == 0 { return }
      try scanner.skip(length)
    }
  }
}
