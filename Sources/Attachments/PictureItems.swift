/// The metadata items in a HEIF picture (ISO/IEC 23008-12, ISO/IEC 14496-12 §8.11): the positions of Exif and XMP data in the file.
struct PictureItems {
  /// The content of `idat`, which extents can refer to.
  var data: Range<Int>?
  private var kinds: [Int: Kind] = [:]
  private var extents: [Int: [Extent]] = [:]

  private enum Kind { case exif, xmp }

  private struct Extent {
    let isInData: Bool
    let offset: Int
    let length: Int
  }

  /// The maximum number of items; files with more are rejected. Pictures from phones have about a hundred.
  private static let itemLimit = 65_536
  /// The maximum size of the metadata to search, in bytes. Longer metadata is treated as if it contained a location.
  private static let sizeLimit = 4 << 20

  /// Reads the item information box, `iinf`.
  mutating func readItems(_ scanner: inout FileScanner, until end: Int) throws(ScanError) {
    let version = try scanner.byte()
    try scanner.skip(3)
    let count = try scanner.integer(bytes: version == 0 ? 2 : 4)
    guard count <= Self.itemLimit else { throw .malformed("it has too many items") }
    for _ in 0..<count {
      let start = scanner.offset
      let size = try scanner.integer(bytes: 4)
      let name = try scanner.code()
      guard size >= 12, size <= end - start else { throw .malformed("the size of an item is wrong") }
      if name == "infe" { try readItem(&scanner, until: start + size) }
      try scanner.move(to: start + size)
    }
  }

  private mutating func readItem(_ scanner: inout FileScanner, until end: Int) throws(ScanError) {
    let version = try scanner.byte()
    // Entries of older versions have no type.
    guard version >= 2 else { return }
    try scanner.skip(3)
    let item = try scanner.integer(bytes: version == 2 ? 2 : 4)
    try scanner.skip(2)
    switch try scanner.code() {
    case "Exif": kinds[item] = .exif
    case "mime":
      let rest = try scanner.bytes(min(max(0, end - scanner.offset), 256))
      if rest.firstRange(of: Array("rdf+xml".utf8)) != nil { kinds[item] = .xmp }
    default: break
    }
  }

  /// Reads the item location box, `iloc`.
  mutating func readExtents(_ scanner: inout FileScanner, until end: Int) throws(ScanError) {
    let version = try scanner.byte()
    try scanner.skip(3)
    let sizes = try scanner.integer(bytes: 2)
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
      throw .malformed("the size of a field is wrong")
    }
    let count = try scanner.integer(bytes: version < 2 ? 2 : 4)
    var extentCount = 0
    for _ in 0..<count {
      let item = try scanner.integer(bytes: version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try scanner.integer(bytes: 2) & 15
      try scanner.skip(2)
      let base = try scanner.integer(bytes: baseSize)
      let number = try scanner.integer(bytes: 2)
      extentCount += number
      guard extentCount <= Self.itemLimit, scanner.offset <= end else { throw .malformed("it has too many items") }
      var found: [Extent] = []
      for _ in 0..<number {
        try scanner.skip(indexSize)
        let (offset, overflow) = base.addingReportingOverflow(try scanner.integer(bytes: offsetSize))
        let length = try scanner.integer(bytes: lengthSize)
        guard !overflow else { throw .malformed("an offset is too large") }
        found.append(Extent(isInData: method == 1, offset: offset, length: length))
      }
      // Items that are constructed from other items cannot be read.
      extents[item] = method > 1 ? nil : found
    }
  }

  /// Checks that the metadata items contain no location.
  /// - Throws: `.containsLocation` if an item contains a position or cannot be read.
  func check(_ scanner: inout FileScanner) throws(ScanError) {
    for (item, kind) in kinds {
      guard let extents = extents[item] else { throw .containsLocation }
      var bytes: [UInt8] = []
      for extent in extents {
        guard extent.length <= Self.sizeLimit - bytes.count else { throw .containsLocation }
        try scanner.move(to: try start(of: extent))
        bytes += try scanner.bytes(extent.length)
      }
      switch kind {
      case .exif where hasLocation(exif: bytes): throw .containsLocation
      case .xmp where bytes.firstRange(of: Array("GPS".utf8)) != nil: throw .containsLocation
      default: break
      }
    }
  }

  private func start(of extent: Extent) throws(ScanError) -> Int {
    guard extent.isInData else { return extent.offset }
    guard let data, extent.offset <= data.count, extent.length <= data.count - extent.offset else {
      throw .malformed("an offset is too large")
    }
    return data.lowerBound + extent.offset
  }

  /// Returns whether an Exif item contains a location. The item begins with the offset of its TIFF header.
  private func hasLocation(exif bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    let offset = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return ExifData(bytes.dropFirst(4).dropFirst(offset)).hasLocation
  }
}
