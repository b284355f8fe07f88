/// Removes metadata from JPEG files (ITU-T T.81 annex B).
///
/// The tables and scans, JFIF without its thumbnail, the ICC profile, the orientation and Adobe's colour transform are kept, each with
/// exactly the length that the format defines. Everything else is removed: other Exif data, XMP, IPTC, comments, manufacturers' and
/// unknown segments, bytes at the end of a known segment, and any data after the end of the picture.
enum JPEGContent {
  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    guard try scanner.bytes(2) == [0xFF, 0xD8] else { throw .malformed("it has no start marker") }
    var parts = JPEGParts()
    while true {
      let (marker, start) = try nextMarker(&scanner)
      if marker == 0xD9 {
        guard parts.hasScan else { throw .malformed("it has no picture") }
        return try parts.content(endingWith: start..<scanner.offset)
      }
      guard isSegment(marker) else { throw .malformed("it has an unexpected marker, \(String(marker, radix: 16))") }
      let length = try scanner.integer(bytes: 2)
      guard length >= 2 else { throw .malformed("a segment has no length") }
      try parts.append(marker, from: start, payload: try scanner.bytes(length - 2))
      if marker == 0xDA {
        let end = scanner.offset
        try findEndOfScan(&scanner)
        try parts.append(scan: end..<scanner.offset)
      }
    }
  }

  /// Reads a marker and its offset, and skips fill bytes before it.
  private static func nextMarker(_ scanner: inout FileScanner) throws(ScanError) -> (marker: UInt8, start: Int) {
    guard try scanner.byte() == 0xFF else { throw .malformed("a marker is missing") }
    var marker = try scanner.byte()
    while marker == 0xFF { marker = try scanner.byte() }
    return (marker, scanner.offset - 2)
  }

  /// Returns whether a marker begins a segment with a length.
  private static func isSegment(_ marker: UInt8) -> Bool {
    switch marker {
    case 0xC0...0xCF, 0xDA...0xFE: true
    default: false
    }
  }

  /// Moves to the next marker that is neither a stuffed byte nor a restart marker.
  private static func findEndOfScan(_ scanner: inout FileScanner) throws(ScanError) {
    while true {
      try scanner.find(0xFF)
      let start = scanner.offset
      try scanner.skip(1)
      switch try scanner.byte() {
      case 0x00, 0xD0...0xD7: continue
      case 0xFF: try scanner.move(to: start + 1)
      default: return try scanner.move(to: start)
      }
    }
  }
}
