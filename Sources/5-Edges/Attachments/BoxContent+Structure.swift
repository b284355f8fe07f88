extension BoxContent {
  /// Keeps a box that contains only numbers, with exactly the length that its format defines. Drops an unknown box.
  ///
  /// Times, names and reserved fields become zeros.
  mutating func keepStructure(_ box: Box) throws(ScanError) {
    switch box.name {
    case "edts", "tapt", "mvex", "mfra", "dinf":
      try keep(box, 0)
      for child in try children(of: box) { try keepStructure(child) }
    case "dref": try keepReferences(box)
    case _ where Self.lengths[box.name] != nil: try keep(box, Self.lengths[box.name]!)
    case _ where Self.tables[box.name] != nil:
      let (header, entry) = Self.tables[box.name]!
      try keepTable(box, header: header, entry: entry)
    case _ where Self.versions[box.name] != nil:
      let (first, second) = Self.versions[box.name]!
      try keep(box, try version(box) == 0 ? first : second)
    case "elst": try keepTable(box, header: 8, entry: try version(box) == 0 ? 12 : 20)
    case "sidx":
      let header = try version(box) == 0 ? 24 : 32
      try keep(box, header + 12 * (try integer(box, at: header - 2, bytes: 2)))
    case "tfra":
      let sizes = try integer(box, at: 8, bytes: 4)
      let numbers = (sizes >> 4 & 3) + (sizes >> 2 & 3) + (sizes & 3) + 3
      try keepTable(box, header: 16, entry: (try version(box) == 0 ? 8 : 16) + numbers)
    case "sbgp": try keepGroups(box)
    case "sgpd": try keepGroupDescriptions(box)
    case "hdlr": try keep(box, [0..<12])
    case "mvhd":
      try keep(
        box,
        try version(box) == 0
          ? [0..<4, 12..<26, 36..<72, 96..<100] : [0..<4, 20..<38, 48..<84, 108..<112])
    case "tkhd":
      try keep(
        box,
        try version(box) == 0
          ? [0..<4, 12..<16, 20..<24, 32..<38, 40..<84] : [0..<4, 20..<24, 28..<36, 44..<50, 52..<96])
    case "mdhd": try keep(box, try version(box) == 0 ? [0..<4, 12..<22] : [0..<4, 20..<34])
    default: try drop(box)
    }
  }

  /// The lengths of boxes that always have the same length.
  private static let lengths = [
    "vmhd": 12, "smhd": 8, "nmhd": 4, "trex": 24, "mfhd": 8, "mfro": 8, "clef": 12, "prof": 12, "enof": 12,
  ]

  /// The lengths of boxes with 32-bit and with 64-bit times.
  private static let versions = ["cslg": (24, 44), "mehd": (8, 12), "tfdt": (8, 12)]

  /// The lengths of the header, which ends with the number of entries, and of an entry.
  private static let tables = [
    "stts": (8, 8), "ctts": (8, 8), "stss": (8, 4), "stps": (8, 4), "stsh": (8, 8), "stsc": (8, 12), "stco": (8, 4),
    "co64": (8, 8),
  ]

  mutating func version(_ box: Box) throws(ScanError) -> Int { try integer(box, at: 0, bytes: 1) }

  /// Keeps a table of entries of the same size. The last four bytes of the header are the number of entries.
  mutating func keepTable(_ box: Box, header: Int, entry: Int) throws(ScanError) {
    let count = try integer(box, at: header - 4, bytes: 4)
    try keep(box, header + count * entry)
  }

  /// Keeps the list of files with the samples. Each entry is rewritten to mean this file, because other files cannot be sent and their
  /// names are private.
  private mutating func keepReferences(_ box: Box) throws(ScanError) {
    try keep(box, 8)
    for child in try children(of: box, from: 8) {
      guard child.payload == child.start + 8, child.count >= 4 else { throw .malformed("the dref box is too short") }
      try kept.keep(child.start..<child.start + 4)
      try kept.replace(at: child.start + 4, with: Array("url ".utf8) + [0, 0, 0, 1])
    }
  }

  // MARK: - Sample groups

  /// The kinds of sample groups that players use, and the length of their descriptions (ISO/IEC 14496-12 §10).
  private static let groups = ["roll": 2, "prol": 2, "rap ": 1, "sync": 1]

  private mutating func kindOfGroup(_ box: Box) throws(ScanError) -> String? {
    guard box.count >= 8 else { return nil }
    let name = String(decoding: try peek(box.payload + 4, 4), as: UTF8.self)
    return Self.groups[name] == nil ? nil : name
  }

  private mutating func keepGroups(_ box: Box) throws(ScanError) {
    guard try kindOfGroup(box) != nil else { return try drop(box) }
    try keepTable(box, header: try version(box) == 0 ? 12 : 16, entry: 8)
  }

  private mutating func keepGroupDescriptions(_ box: Box) throws(ScanError) {
    guard let kind = try kindOfGroup(box), let length = Self.groups[kind] else { return try drop(box) }
    switch try version(box) {
    case 0: try keepTable(box, header: 12, entry: length)
    case 1 where try integer(box, at: 8, bytes: 4) == length: try keepTable(box, header: 16, entry: length)
    default: try drop(box)
    }
  }
}
