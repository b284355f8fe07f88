/// The items of a HEIF picture: their kinds, and where their data is (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12).
struct PictureItems {
  /// The content of `idat`, which extents can refer to.
  var data: [Range<Int>] = []
  var primary: Int?
  /// The items that are parts of a picture, and their kinds.
  var kept: [Int: String] = [:]
  /// How pictures in H.264 and H.265 are divided into units. All of a file's pictures are compressed in the same way.
  var units: NALUnits?
  private(set) var extents: [Int: [Extent]] = [:]

  struct Extent {
    let isInData: Bool
    let offset: Int
    let length: Int
  }

  /// Items whose data contains only pictures, and items made of other items.
  static let known: Set = ["hvc1", "av01", "avc1", "grid", "iden", "iovl", "tmap"]

  var hasPictures: Bool { primary.map { kept[$0] != nil } ?? false }

  /// The maximum number of items and extents; files with more are refused. Pictures from phones have about a hundred.
  static let limit = 65_536

  /// Reads the item location box, `iloc`, and leaves the scanner at the end of its entries.
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
      let isInFile = try scanner.integer(bytes: 2) == 0
      let base = try scanner.integer(bytes: baseSize)
      let number = try scanner.integer(bytes: 2)
      extentCount += number + 1
      guard extentCount <= Self.limit, scanner.offset <= end else { throw .malformed("it has too many items") }
      var found: [Extent] = []
      for _ in 0..<number {
        try scanner.skip(indexSize)
        let (offset, overflow) = base.addingReportingOverflow(try scanner.integer(bytes: offsetSize))
        let length = try scanner.integer(bytes: lengthSize)
        guard !overflow else { throw .malformed("an offset is too large") }
        found.append(Extent(isInData: method == 1, offset: offset, length: length))
      }
      // Items in other files, and items constructed from other items, cannot be read.
      extents[item] = method > 1 || !isInFile ? nil : found
    }
    guard scanner.offset <= end else { throw .malformed("the iloc box is too short") }
  }

  /// Returns where the data of the kept items is, and whether it consists of units.
  /// - Throws: `.unremovable` for an item whose data homeline cannot find.
  func ranges() throws(ScanError) -> [(range: Range<Int>, hasUnits: Bool)] {
    var ranges: [(range: Range<Int>, hasUnits: Bool)] = []
    for (item, kind) in kept.sorted(by: { $0.key < $1.key }) {
      guard let extents = extents[item] else {
        // An item made of other items, such as `iden`, can lack data.
        continue
      }
      for extent in extents {
        var start = extent.offset
        if extent.isInData {
          guard let data = data.first, extent.offset <= data.count else {
            throw .malformed("an offset is too large")
          }
          start += data.lowerBound
        }
        let (end, overflow) = start.addingReportingOverflow(extent.length)
        guard !overflow else { throw .malformed("an offset is too large") }
        // A length of zero can mean up to the end of the file.
        guard extent.length > 0 else { throw .unremovable("a part of the picture has no length") }
        ranges.append((start..<end, kind == "hvc1" || kind == "avc1"))
      }
    }
    return ranges
  }
}
