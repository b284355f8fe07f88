/// Looks for a location in a file in the ISO base media format: HEIC, AVIF, MP4, MOV (ISO/IEC 14496-12, QuickTime File Format).
struct BoxLocation {
  private var scanner: FileScanner
  private var pictures = PictureItems()

  /// The maximum nesting of boxes, which limits the work that a hostile file can cause.
  private static let depthLimit = 12
  /// The maximum size of the metadata to search, in bytes. Longer metadata is treated as if it contained a location.
  private static let searchLimit = 4 << 20

  private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl", "udta", "moof", "traf", "mvex", "edts"]
  /// The position tracks that cameras write, and the GPS boxes that dashboard cameras write.
  private static let locationCodes: Set = ["loci", "gpmd", "camm", "gps0", "gps ", "GPS "]
  /// `©xyz`, with the first byte as `FileScanner.code` reads it.
  private static let position = "?xyz"
  private static let positionBytes: [UInt8] = [0xA9] + Array("xyz".utf8)
  private static let texts = ["ISO6709", "GPSLatitude", "GPSLongitude", "GPSCoordinates"].map { Array($0.utf8) }
  private static let anyLocation = texts + ["location", "gpmd", "camm"].map { Array($0.utf8) }

  init(_ scanner: FileScanner) { self.scanner = scanner }

  /// Checks that the file contains no location.
  /// - Throws: `.containsLocation`, or `.malformed` for a file that cannot be examined.
  mutating func check() throws(ScanError) {
    try scanner.move(to: 0)
    try walk(until: scanner.size, depth: 0)
    try pictures.check(&scanner)
  }

  private mutating func walk(until end: Int, depth: Int) throws(ScanError) {
    guard depth < Self.depthLimit else { throw .malformed("its boxes are nested too deeply") }
    while scanner.offset < end {
      // QuickTime user data can end with a zero instead of a box.
      if end - scanner.offset < 8, depth > 0 { return try scanner.move(to: end) }
      let box = try header(until: end, depth: depth)
      try visit(box, depth: depth)
      try scanner.move(to: box.end)
    }
  }

  private struct Box {
    let name: String
    let end: Int
  }

  private mutating func header(until end: Int, depth: Int) throws(ScanError) -> Box {
    let start = scanner.offset
    var size = try scanner.integer(bytes: 4)
    let name = try scanner.code()
    if size == 1 { size = try scanner.integer(bytes: 8) }
    // Zero means that the box extends to the end of the file or, in QuickTime user data, that the list ends.
    if size == 0 { size = end - start }
    guard size >= scanner.offset - start, size <= end - start else { throw .malformed("the size of a box is wrong") }
    return Box(name: name, end: start + size)
  }

  private mutating func visit(_ box: Box, depth: Int) throws(ScanError) {
    switch box.name {
    case Self.position: throw .containsLocation
    case _ where Self.locationCodes.contains(box.name): throw .containsLocation
    case _ where Self.containers.contains(box.name): try walk(until: box.end, depth: depth + 1)
    case "meta": try visitMetadata(box, depth: depth)
    case "keys", "stsd": try search(until: box.end, for: Self.anyLocation)
    case "ilst": try search(until: box.end, for: Self.texts + [Self.positionBytes])
    case "uuid", "XMP_": try search(until: box.end, for: Self.texts)
    case "iinf": try pictures.readItems(&scanner, until: box.end)
    case "iloc": try pictures.readExtents(&scanner, until: box.end)
    case "idat": pictures.data = scanner.offset..<box.end
    default: break
    }
  }

  /// Searches a `meta` box, which begins with a version in the ISO format, but with its first box in QuickTime.
  private mutating func visitMetadata(_ box: Box, depth: Int) throws(ScanError) {
    let start = scanner.offset
    guard box.end - start >= 8 else { return }
    try scanner.skip(4)
    let isQuickTime = try scanner.code() == "hdlr"
    try scanner.move(to: isQuickTime ? start : start + 4)
    try walk(until: box.end, depth: depth + 1)
  }

  private mutating func search(until end: Int, for texts: [[UInt8]]) throws(ScanError) {
    guard end - scanner.offset <= Self.searchLimit else { throw .containsLocation }
    let bytes = try scanner.bytes(end - scanner.offset)
    if texts.contains(where: { bytes.firstRange(of: $0) != nil }) { throw .containsLocation }
  }
}
