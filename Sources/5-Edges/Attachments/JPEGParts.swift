/// Collects the parts of a JPEG file to send.
struct JPEGParts {
  private(set) var hasScan = false
  private var header: [UInt8]?
  private var body = ContentPieces()
  private var orientation: UInt8?
  private var hasExif = false
  private var hasFrame = false
  private var hasTransform = false
  /// The number of bytes of the ICC profile that have not been read; nil before its beginning.
  private var profileRest: Int?

  /// Appends a segment if it is known, with exactly the bytes that its format defines.
  /// - Parameter start: the offset of its marker.
  mutating func append(_ marker: UInt8, from start: Int, payload: [UInt8]) throws(ScanError) {
    switch marker {
    case 0xE0: header = header ?? jfif(payload)
    case 0xE1:
      guard !hasExif, payload.starts(with: "Exif\0\0".utf8) else { return }
      orientation = ExifData(payload[6...]).orientation
      hasExif = true
    case 0xE2:
      if let length = profileLength(payload) { try append(marker, from: start, payload, length: length) }
    case 0xEE:
      guard !hasTransform, payload.count >= 12, payload.starts(with: "Adobe".utf8) else { return }
      hasTransform = true
      try append(marker, from: start, payload, length: 12)
    default:
      guard let length = try Self.definedLength(marker, payload) else { return }
      if Self.isFrame(marker) {
        guard !hasFrame else { throw .malformed("it has two frames") }
        hasFrame = true
      }
      guard length <= payload.count else { throw .malformed("a segment is too short") }
      try append(marker, from: start, payload, length: length)
    }
  }

  /// Appends the data of a scan.
  mutating func append(scan: Range<Int>) throws(ScanError) {
    hasScan = true
    try body.append(scan)
  }

  func content(endingWith end: Range<Int>) throws(ScanError) -> ContentPieces {
    guard hasFrame else { throw .malformed("it has no frame") }
    var content = ContentPieces()
    try content.append(0..<2)
    try content.append(header ?? [])
    if let orientation {
      try content.append(Self.segment(0xE1, Array("Exif\0\0".utf8) + ExifData.minimal(orientation: orientation)))
    }
    try content.append(body)
    try content.append(end)
    return content
  }

  private mutating func append(_ marker: UInt8, from start: Int, _ payload: [UInt8], length: Int) throws(ScanError) {
    if length == payload.count {
      try body.append(start..<start + 4 + length)
    } else {
      try body.append(Self.segment(marker, Array(payload.prefix(length))))
    }
  }

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
  }

  // MARK: - Lengths

  private static func isFrame(_ marker: UInt8) -> Bool {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: true
    default: false
    }
  }

  /// Returns the length that a segment's format defines for its payload (T.81 §§B.2.2–B.2.5); nil for a segment that is unknown or not
  /// needed to show the picture.
  private static func definedLength(_ marker: UInt8, _ payload: [UInt8]) throws(ScanError) -> Int? {
    switch marker {
    case _ where isFrame(marker): payload.count > 5 ? 6 + 3 * Int(payload[5]) : 6
    // Define Huffman tables: two numbers, 16 counts, and as many values.
    case 0xC4:
      try lengthOfTables(payload) { table in
        guard table.first! & 0x0F < 4, table.first! >> 4 < 2 else { return nil }
        return table.dropFirst().prefix(16).reduce(17) { $0 + Int($1) }
      }
    // Define arithmetic conditioning.
    case 0xCC: try lengthOfTables(payload) { table in table.first! & 0x0F < 4 && table.first! >> 4 < 2 ? 2 : nil }
    // Define quantisation tables, with 64 elements of one or two bytes.
    case 0xDB:
      try lengthOfTables(payload) { table in
        guard table.first! & 0x0F < 4, table.first! >> 4 < 2 else { return nil }
        return table.first! >> 4 == 0 ? 65 : 129
      }
    case 0xDA: payload.isEmpty ? 1 : 4 + 2 * Int(payload[0])
    // The number of lines, and the restart interval.
    case 0xDC, 0xDD: 2
    default: nil
    }
  }

  /// Returns the length of consecutive tables, up to the first one that is not valid.
  private static func lengthOfTables(
    _ payload: [UInt8], _ length: (ArraySlice<UInt8>) -> Int?
  ) throws(ScanError) -> Int {
    var offset = 0
    while offset < payload.count, let length = length(payload[offset...]) { offset += length }
    guard offset > 0 else { throw .malformed("a table is wrong") }
    return offset
  }

  /// Returns the JFIF segment without its thumbnail; nil for another segment with the same marker.
  private func jfif(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count >= 14, payload.starts(with: "JFIF\0".utf8) else { return nil }
    return Self.segment(0xE0, payload.prefix(12) + [0, 0])
  }

  /// Returns the number of bytes of this segment that belong to the ICC profile (ICC.1:2022 annex B.4); nil for none.
  private mutating func profileLength(_ payload: [UInt8]) -> Int? {
    let headerSize = 14
    guard payload.count > headerSize, payload.starts(with: "ICC_PROFILE\0".utf8) else { return nil }
    let data = payload[headerSize...]
    if payload[12] == 1, profileRest == nil { profileRest = ICCProfile.size(beginning: data) ?? 0 }
    guard let rest = profileRest, rest > 0 else { return nil }
    let length = min(rest, data.count)
    profileRest = rest - length
    return headerSize + length
  }
}
