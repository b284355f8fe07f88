/// Removes metadata from WebM and Matroska files (RFC 9559, RFC 8794).
///
/// Only the elements needed to play the film are kept, and only the blocks of tracks with pictures or sound. Every other element becomes
/// a void element of the same size, so offsets do not change and the file remains valid: tags, attachments, chapters, titles, subtitles,
/// times, and unknown elements.
struct MatroskaContent {
  var scanner: FileScanner
  var kept = KeptParts()
  /// The tracks to send, by number.
  var tracks: [Int: MatroskaTrack] = [:]
  private var hasTracks = false
  private var hasSegment = false
  /// Whether the header names the kind of file.
  private var hasKind = false

  private init(_ scanner: FileScanner) { self.scanner = scanner }

  static func withoutMetadata(_ scanner: FileScanner) throws(ScanError) -> ContentPieces {
    var content = MatroskaContent(scanner)
    let end = try content.readFile()
    guard content.hasKind else { throw .malformed("its header is wrong") }
    guard content.hasSegment else { throw .malformed("it has no film") }
    guard !content.tracks.isEmpty || !content.hasTracks else {
      throw .unremovable("homeline finds no pictures and no sound in it")
    }
    return try content.kept.content(size: end)
  }

  /// Reads all elements.
  /// - Returns: the end of the film. A program's own data can follow; it is not sent.
  private mutating func readFile() throws(ScanError) -> Int {
    while scanner.offset < scanner.size {
      let element = try nextElement(until: scanner.size)
      try visit(element)
      if element.id == MatroskaElement.segment {
        hasSegment = true
        if let end = element.end { return end }
      }
    }
    return scanner.offset
  }

  private mutating func visit(_ element: MatroskaElement) throws(ScanError) {
    switch MatroskaElement.kinds[element.id] {
    case .parent where element.end == nil:
      // In a live recording, the sizes of the segment and the clusters are unknown, so their elements are read as if they were directly in
      // the file.
      try kept.keep(element.start..<element.payload)
    case .parent:
      try kept.keep(element.start..<element.payload)
      try visitChildren(of: element)
    case .track: try readTrack(element)
    case .block: try keepBlock(element)
    case .value(let limit): try keepValue(element, limit)
    case .zeros: try keepZeros(element)
    case .kind: try keepKind(element)
    case nil: try void(element)
    }
  }

  private mutating func visitChildren(of element: MatroskaElement) throws(ScanError) {
    let end = element.end!
    try scanner.move(to: element.payload)
    while scanner.offset < end {
      let child = try nextElement(until: end)
      try visit(child)
      try scanner.move(to: try requiredEnd(child))
    }
  }

  private mutating func nextElement(until end: Int) throws(ScanError) -> MatroskaElement {
    let element = try MatroskaElement(&scanner)
    guard element.end == nil || element.end! <= end else { throw .malformed("an element is too long") }
    return element
  }

  // MARK: - Elements

  /// Keeps a number or other value of limited length.
  private mutating func keepValue(_ element: MatroskaElement, _ limit: Int) throws(ScanError) {
    let end = try requiredEnd(element)
    if end - element.payload <= limit {
      try kept.keep(element.start..<end)
      try scanner.move(to: end)
    } else {
      try void(element)
    }
  }

  /// Keeps an element that must exist, with zeros as its content.
  private mutating func keepZeros(_ element: MatroskaElement) throws(ScanError) {
    try kept.keep(element.start..<element.payload)
    try scanner.move(to: try requiredEnd(element))
  }

  /// Keeps the name of the kind of file.
  private mutating func keepKind(_ element: MatroskaElement) throws(ScanError) {
    let end = try requiredEnd(element)
    let name = try scanner.bytes(min(end - element.payload, 16))
    guard ["webm", "matroska"].contains(String(decoding: name, as: UTF8.self)), element.payload + name.count == end
    else { throw .malformed("its header is wrong") }
    hasKind = true
    try kept.keep(element.start..<end)
  }

  /// Replaces an element with a void element of the same size (RFC 8794 §11.3.2).
  mutating func void(_ element: MatroskaElement) throws(ScanError) {
    let end = try requiredEnd(element)
    try kept.replace(at: element.start, with: MatroskaElement.voidHeader(size: end - element.start))
    try scanner.move(to: end)
  }

  func requiredEnd(_ element: MatroskaElement) throws(ScanError) -> Int {
    guard let end = element.end else { throw .malformed("an element has no size") }
    return end
  }

  // MARK: - Tracks and blocks

  private mutating func readTrack(_ element: MatroskaElement) throws(ScanError) {
    hasTracks = true
    let end = try requiredEnd(element)
    let bytes = try scanner.bytes(min(end - element.payload, Self.trackLimit))
    guard element.payload + bytes.count == end else { throw .malformed("the description of a track is too long") }
    let track = try MatroskaTrack(bytes)
    if track.isMedia {
      guard track.isKnown else {
        let name = String(
          track.codec.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./".contains($0)) ? $0 : "?" })
        throw .unremovable("a track has a format that homeline does not know, \(name)")
      }
      tracks[track.number] = track
      try kept.keep(element.start..<element.payload)
      try kept.replace(at: element.payload, with: track.content)
    } else {
      try void(element)
    }
    try scanner.move(to: end)
  }

  /// The maximum size of the description of a track in bytes.
  private static let trackLimit = 1 << 20

  /// Keeps a block of samples if its track is sent. A block begins with the number of the track.
  private mutating func keepBlock(_ element: MatroskaElement) throws(ScanError) {
    let end = try requiredEnd(element)
    let number = try MatroskaElement.number(&scanner, keepsMarker: false, longest: 8)
    // The time and the flags follow.
    let data = scanner.offset + 3
    guard let number, let track = tracks[number], data <= end else { return try void(element) }
    if let units = track.units {
      try scanner.skip(2)
      guard try scanner.byte() & 0x06 == 0 else { throw .unremovable("a block contains several pictures") }
      try kept.keep(element.start..<data)
      try units.keep(data..<end, &scanner, in: &kept)
    } else {
      try kept.keep(element.start..<end)
    }
    try scanner.move(to: end)
  }
}
