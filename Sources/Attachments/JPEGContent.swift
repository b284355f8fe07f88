/// Removes metadata from JPEG files (ITU-T T.81 annex B).
///
/// The tables and scans, JFIF without its thumbnail, the ICC profile, the orientation and Adobe's colour transform are kept. Everything
/// else is removed: other Exif data, XMP, IPTC, comments, manufacturers' segments, and any data after the end of the picture.
enum JPEGContent {
  static func withoutMetadata(_ scanner: inout FileScanner) throws(ScanError) -> ContentPieces {
    guard try scanner.bytes(2) == [0xFF, 0xD8] else { throw .malformed("it has no start marker") }
    var head = ContentPieces()
    var body = ContentPieces()
    var orientation: UInt8?
    var hasExif = false
    var hasScan = false
    try head.append(0..<2)
    while true {
      let (marker, start) = try nextMarker(&scanner)
      if marker == 0xD9 {
        guard hasScan else { throw .malformed("it has no picture") }
        try body.append(start..<scanner.offset)
        break
      }
      guard isSegment(marker) else { throw .malformed("it has an unexpected marker, \(String(marker, radix: 16))") }
      let length = try scanner.integer(bytes: 2)
      guard length >= 2 else { throw .malformed("a segment has no length") }
      let payload = scanner.offset
      let end = payload + length - 2
      switch marker {
      case 0xE0:
        if let header = try jfif(&scanner, until: end) {
          if body.size == 0 { try head.append(header) } else { try body.append(header) }
        }
      case 0xE1:
        let bytes = try scanner.bytes(end - payload)
        if !hasExif, bytes.starts(with: "Exif\0\0".utf8) {
          orientation = ExifData(bytes[6...]).orientation
          hasExif = true
        }
      case 0xE2:
        if try scanner.bytes(min(12, end - payload)).elementsEqual("ICC_PROFILE\0".utf8) {
          try body.append(start..<end)
        }
      case 0xEE:
        if try scanner.bytes(min(5, end - payload)).elementsEqual("Adobe".utf8) { try body.append(start..<end) }
      case 0xE3...0xEF, 0xFE: break
      default: try body.append(start..<end)
      }
      try scanner.move(to: end)
      if marker == 0xDA {
        hasScan = true
        try findEndOfScan(&scanner)
        try body.append(end..<scanner.offset)
      }
    }
    if let orientation { try head.append(exifSegment(orientation)) }
    try head.append(body)
    return head
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
    case 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xEF, 0xFE: true
    default: false
    }
  }

  /// Returns the JFIF segment without its thumbnail; nil for another segment with the same marker.
  private static func jfif(_ scanner: inout FileScanner, until end: Int) throws(ScanError) -> [UInt8]? {
    let header = try scanner.bytes(min(14, end - scanner.offset))
    guard header.count == 14, header.starts(with: "JFIF\0".utf8) else { return nil }
    return [0xFF, 0xE0, 0, 16] + header.prefix(12) + [0, 0]
  }

  private static func exifSegment(_ orientation: UInt8) -> [UInt8] {
    let payload = Array("Exif\0\0".utf8) + ExifData.minimal(orientation: orientation)
    return [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
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
