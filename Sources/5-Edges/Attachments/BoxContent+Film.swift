extension BoxContent {
  /// The maximum number of entries in the tables of a film, which limits memory use to 50 MB. A film of an hour has about 400,000.
  private static let entryLimit = 1 << 22

  /// Reads the film: its header and its tracks.
  /// - Throws: `.unremovable` if homeline knows the format of no picture track, or of no sound track.
  mutating func readFilm(_ box: Box) throws(ScanError) {
    try keep(box, 0)
    for child in try children(of: box) {
      switch child.name {
      case "trak": try readTrack(child)
      case "mvhd": try keepStructure(child)
      case "mvex":
        try readFragmentDefaults(child)
        try keepStructure(child)
      case "cmov": throw .unremovable("its description is compressed")
      default: try drop(child)
      }
    }
    for track in tracks where !track.isKept && ["vide", "soun"].contains(track.handler) {
      // Cameras add tracks for newer players, or a small picture of the film, beside a track that every player knows.
      guard !tracks.contains(where: { $0.isKept && $0.handler == track.handler }) else { continue }
      let format = track.unknownFormat.map { ", \(printable($0))" } ?? ""
      throw .unremovable(
        "\(track.handler == "soun" ? "the sound" : "the film") has a format that homeline does not know\(format)")
    }
    guard tracks.isEmpty || tracks.contains(where: \.isKept) else {
      throw .unremovable("homeline finds no pictures and no sound in it")
    }
  }

  private mutating func readTrack(_ box: Box) throws(ScanError) {
    // Only the end of the track shows whether it is kept.
    let outside = kept
    kept = KeptParts()
    var track = FilmTrack()
    try keep(box, 0)
    for child in try children(of: box) {
      switch child.name {
      case "tkhd":
        track.id = try integer(child, at: try version(child) == 0 ? 12 : 20, bytes: 4)
        try keepStructure(child)
      case "edts", "tapt": try keepStructure(child)
      case "mdia": try readMedia(child, &track)
      default: try drop(child)
      }
    }
    let parts = kept
    kept = outside
    if track.isKept {
      try kept.append(parts)
      samples += try track.ranges().map { Samples(range: $0, units: track.units) }
    } else {
      try drop(box)
    }
    track.sizes = []
    track.chunks = []
    tracks.append(track)
  }

  private mutating func readMedia(_ box: Box, _ track: inout FilmTrack) throws(ScanError) {
    try keep(box, 0)
    for child in try children(of: box) {
      switch child.name {
      case "hdlr":
        track.handler = String(decoding: try peek(child.payload + 8, min(4, max(0, child.count - 8))), as: UTF8.self)
        try keepStructure(child)
      case "mdhd": try keepStructure(child)
      case "minf":
        try keep(child, 0)
        for part in try children(of: child) {
          switch part.name {
          case "vmhd", "smhd", "nmhd", "hdlr", "dinf": try keepStructure(part)
          case "stbl": try readSamples(part, &track)
          default: try drop(part)
          }
        }
      default: try drop(child)
      }
    }
  }

  // MARK: - Tables of samples

  private mutating func readSamples(_ box: Box, _ track: inout FilmTrack) throws(ScanError) {
    try keep(box, 0)
    for child in try children(of: box) {
      switch child.name {
      case "stsd": try readFormats(child, &track)
      case "stsz": try readSizes(child, &track)
      case "stz2": try readSmallSizes(child, &track)
      case "stsc":
        try keepStructure(child)
        let count = try entryCount(child, at: 4)
        for _ in 0..<count {
          track.runs.append((try scanner.integer(bytes: 4), try scanner.integer(bytes: 4)))
          try scanner.skip(4)
        }
      case "stco", "co64":
        try keepStructure(child)
        let count = try entryCount(child, at: 4)
        for _ in 0..<count { track.chunks.append(try scanner.integer(bytes: child.name == "stco" ? 4 : 8)) }
      case "stts", "ctts", "cslg", "stss", "stps", "stsh", "sbgp", "sgpd": try keepStructure(child)
      default: try drop(child)
      }
    }
  }

  private mutating func readSizes(_ box: Box, _ track: inout FilmTrack) throws(ScanError) {
    track.constantSize = try integer(box, at: 4, bytes: 4)
    guard track.constantSize == 0 else {
      track.sampleCount = try integer(box, at: 8, bytes: 4)
      return try keep(box, 12)
    }
    try keepTable(box, header: 12, entry: 4)
    track.sampleCount = try entryCount(box, at: 8)
    for _ in 0..<track.sampleCount { track.sizes.append(UInt32(try scanner.integer(bytes: 4))) }
  }

  /// Reads sizes of 4, 8 or 16 bits.
  private mutating func readSmallSizes(_ box: Box, _ track: inout FilmTrack) throws(ScanError) {
    let bits = try integer(box, at: 4, bytes: 4) & 0xFF
    guard [4, 8, 16].contains(bits) else { throw .malformed("a table of samples is wrong") }
    track.sampleCount = try entryCount(box, at: 8)
    try keep(box, 12 + (track.sampleCount * bits + 7) / 8)
    try scanner.move(to: box.payload + 12)
    var byte = 0
    for index in 0..<track.sampleCount {
      switch bits {
      case 16: track.sizes.append(UInt32(try scanner.integer(bytes: 2)))
      case 8: track.sizes.append(UInt32(try scanner.byte()))
      default:
        if index % 2 == 0 { byte = Int(try scanner.byte()) }
        track.sizes.append(UInt32(index % 2 == 0 ? byte >> 4 : byte & 15))
      }
    }
  }

  /// Reads a number of entries, and leaves the scanner after that number.
  private mutating func entryCount(_ box: Box, at offset: Int) throws(ScanError) -> Int {
    let count = try integer(box, at: offset, bytes: 4)
    guard count <= Self.entryLimit else { throw .malformed("it has too many samples") }
    return count
  }
}
