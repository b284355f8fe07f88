/// Looks for a location in the tags of a WebM or Matroska file (RFC 9559 §5.1.8, RFC 8794).
enum MatroskaLocation {
  private static let segment = 0x1853_8067
  private static let cluster = 0x1F43_B675
  private static let tags = 0x1254_C367
  /// The maximum size of the tags to search, in bytes. Longer tags are treated as if they contained a location.
  private static let searchLimit = 4 << 20
  private static let texts = ["LOCATION", "ISO6709", "GPS", "LATITUDE"].map { Array($0.utf8) }

  /// Checks that the file contains no location.
  /// - Throws: `.containsLocation`, or `.malformed` for a file that cannot be examined.
  static func check(_ scanner: inout FileScanner) throws(ScanError) {
    while !scanner.isAtEnd {
      let name = try number(&scanner, keepsMarker: true, longest: 4)
      let size = try number(&scanner, keepsMarker: false, longest: 8)
      switch name {
      case segment: continue
      // In a live recording, the size of a cluster is unknown, so its elements are read as if they were not in a cluster.
      case cluster where size == nil: continue
      case tags:
        guard let size, size <= searchLimit else { throw .containsLocation }
        let bytes = try scanner.bytes(size).map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
        if texts.contains(where: { bytes.firstRange(of: $0) != nil }) { throw .containsLocation }
      default:
        guard let size else { throw .malformed("an element has no size") }
        try scanner.skip(size)
      }
    }
  }

  /// Reads a variable-size number (RFC 8794 §4). Returns nil for an unknown size.
  private static func number(
    _ scanner: inout FileScanner, keepsMarker: Bool, longest: Int
  ) throws(ScanError) -> Int? {
    let first = try scanner.byte()
    let length = first.leadingZeroBitCount + 1
    guard length <= longest else { throw .malformed("a number is too long") }
    let rest = try scanner.integer(bytes: length - 1)
    let low = Int(first) & (0xFF >> length)
    let value = low << (8 * (length - 1)) | rest
    if keepsMarker { return Int(first) << (8 * (length - 1)) | rest }
    return value == 1 << (7 * length) - 1 ? nil : value
  }
}
