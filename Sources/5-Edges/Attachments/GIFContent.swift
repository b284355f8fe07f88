/// Removes metadata from GIF files (GIF89a §§18–26).
///
/// The pictures, their timing and transparency, and the repeat count are kept. Everything else is removed: comments, plain text, XMP,
/// ICC profiles, programs' own extensions, and any data after the trailer.
enum GIFContent {
  /// The two names of the extension that contains the repeat count.
  private static let repetitions = ["NETSCAPE2.0", "ANIMEXTS1.0"]

  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    var content = ContentPieces()
    try scanner.skip(10)
    let screen = try scanner.byte()
    try scanner.skip(2 + colorTableSize(screen))
    try content.append(0..<scanner.offset)
    var hasPicture = false
    // A graphic control extension applies to the picture or plain text after it.
    var control = ContentPieces()
    while true {
      let start = scanner.offset
      switch try scanner.byte() {
      case 0x2C:
        try scanner.skip(8)
        let picture = try scanner.byte()
        try scanner.skip(colorTableSize(picture) + 1)
        try skipBlocks(&scanner)
        try content.append(control)
        try content.append(start..<scanner.offset)
        control = ContentPieces()
        hasPicture = true
      case 0x21:
        switch try scanner.byte() {
        case 0xF9: control = try graphicControl(&scanner, from: start)
        case 0x01:
          try skipBlocks(&scanner)
          control = ContentPieces()
        case 0xFF: try content.append(try applicationExtension(&scanner))
        default: try skipBlocks(&scanner)
        }
      case 0x3B:
        guard hasPicture else { throw .malformed("it has no picture") }
        try content.append(start..<scanner.offset)
        return content
      default: throw .malformed("it has an unknown block")
      }
    }
  }

  /// Reads a graphic control extension after its label, and returns the whole extension.
  private static func graphicControl(
    _ scanner: inout FileScanner, from start: Int
  ) throws(ScanError) -> ContentPieces {
    guard try scanner.byte() == 4 else { throw .malformed("an extension has a wrong length") }
    try scanner.skip(4)
    var content = ContentPieces()
    try content.append(start..<scanner.offset)
    let end = scanner.offset
    try skipBlocks(&scanner)
    if scanner.offset == end + 1 { try content.append(end..<end + 1) } else { try content.append([0]) }
    return content
  }

  /// Reads an application extension after its label. Returns the whole extension with only the repeat count; nothing for other extensions.
  private static func applicationExtension(_ scanner: inout FileScanner) throws(ScanError) -> [UInt8] {
    let name = try scanner.bytes(Int(try scanner.byte()))
    guard repetitions.contains(where: { name.elementsEqual($0.utf8) }) else {
      try skipBlocks(&scanner)
      return []
    }
    let length = Int(try scanner.byte())
    guard length > 0 else { return [] }
    let block = try scanner.bytes(length)
    try skipBlocks(&scanner)
    guard length == 3, block[0] & 7 == 1 else { return [] }
    return [0x21, 0xFF, 11] + name + [3, 1, block[1], block[2], 0]
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
