/// Removes metadata from files in the ISO base media format: HEIC, AVIF, MP4, MOV (ISO/IEC 14496-12, QuickTime File Format).
///
/// Only the boxes needed to show pictures and play films are kept, each with exactly the length that its format defines, and only the
/// samples of tracks with pictures or sound. Everything else becomes zeros, and unknown boxes become `free`: offsets do not change, so the
/// file remains valid. This removes what cameras write in many places: user data, XMP, their own boxes, tracks with positions, and anything
/// between the samples.
struct BoxContent {
  var scanner: FileScanner
  var kept = KeptParts()
  /// The tracks of the film.
  var tracks: [FilmTrack] = []
  /// The default sample sizes of tracks in fragments, by track id.
  var fragmentSizes: [Int: Int] = [:]
  var items = PictureItems()
  /// The content of each `mdat` box.
  private var data: [Range<Int>] = []
  /// The data that contains pictures and sound.
  var samples: [Samples] = []
  private var hasFilm = false

  /// Consecutive samples.
  struct Samples {
    let range: Range<Int>
    /// How the samples are divided into units; nil for other formats.
    let units: NALUnits?
  }

  private init(_ scanner: FileScanner) { self.scanner = scanner }

  static func withoutMetadata(_ scanner: FileScanner) throws(ScanError) -> ContentPieces {
    var content = BoxContent(scanner)
    let size = try content.readFile()
    guard content.hasFilm || content.items.hasPictures else {
      throw .unremovable("homeline finds no film or picture in it")
    }
    try content.keepSamples()
    return try content.kept.content(size: size)
  }

  /// Reads all boxes.
  /// - Returns: the end of the last box. A camera's own data can follow outside any box; it is not sent.
  private mutating func readFile() throws(ScanError) -> Int {
    var offset = 0
    while offset < scanner.size {
      guard scanner.size - offset >= 8, let box = try Box(&scanner, at: offset, until: scanner.size) else {
        guard hasFilm || items.hasPictures else { throw .malformed("the size of a box is wrong") }
        // In an incomplete file, the size of the last box is also wrong.
        let start = String(decoding: try peek(offset, min(8, scanner.size - offset)).dropFirst(4), as: UTF8.self)
        if ["mdat", "moov", "moof", "meta"].contains(start) { throw .malformed("it is truncated") }
        return offset
      }
      try visit(box)
      offset = box.end
    }
    return offset
  }

  private mutating func visit(_ box: Box) throws(ScanError) {
    switch box.name {
    case "ftyp", "styp":
      // Brands are codes of four letters. No file has this many.
      let brandLimit = 64
      try keep(box, min(box.count / 4 * 4, 8 + 4 * brandLimit))
    case "moov":
      guard !hasFilm else { throw .malformed("it contains two films") }
      hasFilm = true
      try readFilm(box)
    case "moof": try readFragment(box)
    case "mdat":
      try keep(box, 0)
      data.append(box.payload..<box.end)
    case "meta": try readPictures(box)
    case "mfra", "sidx": try keepStructure(box)
    default: try drop(box)
    }
  }

  /// Keeps the samples and the pictures' data.
  private mutating func keepSamples() throws(ScanError) {
    let places = (data + items.data).sorted { $0.lowerBound < $1.lowerBound }
    for sample in samples where !sample.range.isEmpty {
      let index = places.partitioningIndex { $0.lowerBound > sample.range.lowerBound } - 1
      guard index >= 0, places[index].upperBound >= sample.range.upperBound else {
        throw .malformed("a sample is not in its data")
      }
      if let units = sample.units {
        try units.keep(sample.range, &scanner, in: &kept)
      } else {
        try kept.keep(sample.range)
      }
    }
  }

  // MARK: - Boxes

  /// Returns the boxes in a box. The list can end with zeros instead of a box.
  /// - Parameter offset: the offset of the first box in the content.
  mutating func children(of box: Box, from offset: Int = 0) throws(ScanError) -> [Box] {
    var children: [Box] = []
    var next = box.payload + offset
    while box.end - next >= 8 {
      if try peek(next, 4) == [0, 0, 0, 0] { break }
      guard let child = try Box(&scanner, at: next, until: box.end) else {
        throw .malformed("the size of a box is wrong")
      }
      guard children.count < Self.childLimit else { throw .malformed("it has too many boxes") }
      children.append(child)
      next = child.end
    }
    return children
  }

  /// The maximum number of boxes in a box. Pictures from phones have about a hundred items, each with properties.
  private static let childLimit = 1 << 16

  /// Keeps a box and the first bytes of its content.
  /// - Throws: `.malformed` if the content is shorter.
  mutating func keep(_ box: Box, _ count: Int) throws(ScanError) {
    guard count <= box.count else { throw .malformed("the \(printable(box.name)) box is too short") }
    try kept.keep(box.start..<box.payload + count)
  }

  /// Keeps a box and these bytes of its content.
  mutating func keep(_ box: Box, _ fields: [Range<Int>]) throws(ScanError) {
    try keep(box, 0)
    for field in fields {
      guard field.upperBound <= box.count else { throw .malformed("the \(printable(box.name)) box is too short") }
      try kept.keep(box.payload + field.lowerBound..<box.payload + field.upperBound)
    }
  }

  /// Keeps a box with other content of the same length.
  mutating func keep(_ box: Box, content: [UInt8]) throws(ScanError) {
    try keep(box, 0)
    try kept.replace(at: box.payload, with: content)
  }

  /// Replaces a box with free space of the same size.
  mutating func drop(_ box: Box) throws(ScanError) {
    let isFree = ["free", "skip", "wide"].contains(box.name)
    if isFree { return try keep(box, 0) }
    try kept.keep(box.start..<box.start + 4)
    try kept.replace(at: box.start + 4, with: Array("free".utf8))
    try kept.keep(box.start + 8..<box.payload)
  }

  /// Reads bytes at an offset.
  mutating func peek(_ offset: Int, _ count: Int) throws(ScanError) -> [UInt8] {
    try scanner.move(to: offset)
    return try scanner.bytes(count)
  }

  /// Reads an unsigned integer in the content of a box.
  mutating func integer(_ box: Box, at offset: Int, bytes count: Int) throws(ScanError) -> Int {
    guard offset + count <= box.count else { throw .malformed("the \(printable(box.name)) box is too short") }
    try scanner.move(to: box.payload + offset)
    return try scanner.integer(bytes: count)
  }

  /// Returns a code as it can appear in a message.
  func printable(_ code: String) -> String {
    String(code.map { $0.isASCII && ($0.isLetter || $0.isNumber || " -.".contains($0)) ? $0 : "?" })
  }
}
