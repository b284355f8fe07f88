/// Films in fragments, as OBS and web servers write them (ISO/IEC 14496-12 §8.8).
extension BoxContent {
  /// Reads the sample sizes that fragments use by default.
  mutating func readFragmentDefaults(_ box: Box) throws(ScanError) {
    for child in try children(of: box) where child.name == "trex" {
      fragmentSizes[try integer(child, at: 4, bytes: 4)] = try integer(child, at: 16, bytes: 4)
    }
  }

  /// Reads a fragment, and drops the parts of tracks that are not sent.
  mutating func readFragment(_ box: Box) throws(ScanError) {
    try keep(box, 0)
    // A track's samples can follow those of the previous track.
    var end = box.start
    for child in try children(of: box) {
      switch child.name {
      case "mfhd": try keepStructure(child)
      case "traf": try readTrackFragment(child, fragment: box, end: &end)
      default: try drop(child)
      }
    }
  }

  private mutating func readTrackFragment(_ box: Box, fragment: Box, end: inout Int) throws(ScanError) {
    let outside = kept
    kept = KeptParts()
    try keep(box, 0)
    var header: FragmentHeader?
    var next: Int?
    var found: [Range<Int>] = []
    for child in try children(of: box) {
      switch child.name {
      case "tfhd":
        header = try readFragmentHeader(child, fragment: fragment, previousEnd: end)
        end = header!.base
      case "tfdt": try keepStructure(child)
      case "trun":
        guard let header else { throw .malformed("a fragment has no header") }
        let run = try readRun(child, header, continuingAt: next ?? header.base)
        next = run.upperBound
        end = run.upperBound
        found.append(run)
      default: try drop(child)
      }
    }
    let parts = kept
    kept = outside
    if let track = tracks.first(where: { $0.id == header?.track && $0.isKept }) {
      try kept.append(parts)
      samples += found.map { Samples(range: $0, units: track.units) }
    } else {
      try drop(box)
    }
  }

  private struct FragmentHeader {
    let track: Int
    let base: Int
    let sampleSize: Int
  }

  private mutating func readFragmentHeader(
    _ box: Box, fragment: Box, previousEnd: Int
  ) throws(ScanError) -> FragmentHeader {
    let flags = try integer(box, at: 1, bytes: 3)
    let track = try integer(box, at: 4, bytes: 4)
    var length = 8
    var base = flags & 0x020000 != 0 ? fragment.start : previousEnd
    if flags & 0x01 != 0 {
      base = try integer(box, at: length, bytes: 8)
      length += 8
    }
    // The sample description and the default duration.
    length += flags & 0x02 != 0 ? 4 : 0
    length += flags & 0x08 != 0 ? 4 : 0
    var sampleSize = fragmentSizes[track] ?? 0
    if flags & 0x10 != 0 {
      sampleSize = try integer(box, at: length, bytes: 4)
      length += 4
    }
    length += flags & 0x20 != 0 ? 4 : 0
    try keep(box, length)
    return FragmentHeader(track: track, base: base, sampleSize: sampleSize)
  }

  /// Reads a run of samples and returns their range.
  private mutating func readRun(
    _ box: Box, _ header: FragmentHeader, continuingAt start: Int
  ) throws(ScanError) -> Range<Int> {
    let flags = try integer(box, at: 1, bytes: 3)
    let count = try integer(box, at: 4, bytes: 4)
    var start = start
    var length = 8
    if flags & 0x01 != 0 {
      let offset = Int(Int32(truncatingIfNeeded: try integer(box, at: 8, bytes: 4)))
      start = header.base.addingReportingOverflow(offset).partialValue
      length += 4
    }
    length += flags & 0x04 != 0 ? 4 : 0
    let fields = [0x100, 0x200, 0x400, 0x800].map { flags & $0 != 0 ? 4 : 0 }
    let entry = fields.reduce(0, +)
    try keep(box, length + count * entry)
    var size = 0
    if flags & 0x200 != 0 {
      try scanner.move(to: box.payload + length)
      for _ in 0..<count {
        try scanner.skip(fields[0])
        size += try scanner.integer(bytes: 4)
        try scanner.skip(fields[2] + fields[3])
      }
    } else {
      size = try FilmTrack.product(count, header.sampleSize)
    }
    let (end, overflow) = start.addingReportingOverflow(size)
    guard start >= 0, !overflow else { throw .malformed("an offset is too large") }
    return start..<end
  }
}
