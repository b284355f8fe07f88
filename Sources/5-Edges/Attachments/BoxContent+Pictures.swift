/// Pictures in items: HEIC and AVIF (ISO/IEC 23008-12).
extension BoxContent {
  /// Reads a picture's items, and drops items that are not parts of a picture, such as Exif and XMP. Other metadata is dropped too.
  mutating func readPictures(_ box: Box) throws(ScanError) {
    // The first box is the handler, after the version of the metadata box.
    let beginning = try peek(box.payload, min(box.count, 24))
    guard !items.hasPictures, beginning.dropFirst(8).starts(with: "hdlr".utf8),
      beginning.dropFirst(20).elementsEqual("pict".utf8)
    else { return try drop(box) }
    try keep(box, 4)
    let children = try children(of: box, from: 4)
    for child in children where child.name == "iinf" { try readItems(child) }
    for child in children {
      switch child.name {
      case "iinf": break
      case "hdlr", "dinf": try keepStructure(child)
      case "pitm":
        let size = try version(child) == 0 ? 2 : 4
        items.primary = try integer(child, at: 4, bytes: size)
        try keep(child, 4 + size)
      case "iloc":
        try scanner.move(to: child.payload)
        try items.readExtents(&scanner, until: child.end)
        try keep(child, scanner.offset - child.payload)
      case "idat":
        try keep(child, 0)
        items.data.append(child.payload..<child.end)
      case "iref": try keepItemReferences(child)
      case "iprp": try readProperties(child)
      case "grpl": try keepItemGroups(child)
      default: try drop(child)
      }
    }
    guard items.hasPictures else { throw .unremovable("the picture has a format that homeline does not know") }
    samples += try items.ranges().map { Samples(range: $0.range, units: $0.hasUnits ? items.units : nil) }
  }

  private mutating func readItems(_ box: Box) throws(ScanError) {
    let header = try version(box) == 0 ? 6 : 8
    try keep(box, header)
    for child in try children(of: box, from: header) {
      guard child.name == "infe" else {
        try drop(child)
        continue
      }
      try readItem(child)
    }
  }

  /// Keeps an item's entry without the item's name. The number of items must not change, so an item that is not part of a picture stays in
  /// the list as free space.
  private mutating func readItem(_ box: Box) throws(ScanError) {
    let version = try version(box)
    let size = version == 3 ? 4 : 2
    let type = 4 + size + 2
    // Entries of older versions have no type.
    guard version == 2 || version == 3 else { return try keep(box, type) }
    let id = try integer(box, at: 4, bytes: size)
    guard type + 4 <= box.count else { throw .malformed("the infe box is too short") }
    let kind = String(decoding: try peek(box.payload + type, 4), as: UTF8.self)
    if PictureItems.known.contains(kind) {
      items.kept[id] = kind
      try keep(box, type + 4)
    } else {
      items.kept[id] = nil
      try keep(box, type)
      try kept.replace(at: box.payload + type, with: Array("free".utf8))
    }
  }

  /// Keeps the references between items, which are numbers. The names of the boxes are the kinds of references.
  private mutating func keepItemReferences(_ box: Box) throws(ScanError) {
    let size = try version(box) == 0 ? 2 : 4
    try keep(box, 4)
    for child in try children(of: box, from: 4) {
      try keep(child, size + 2 + size * (try integer(child, at: size, bytes: 2)))
    }
  }

  private mutating func keepItemGroups(_ box: Box) throws(ScanError) {
    try keep(box, 0)
    for child in try children(of: box) {
      if ["altr", "ster", "eqiv"].contains(child.name) {
        try keepTable(child, header: 12, entry: 4)
      } else {
        try drop(child)
      }
    }
  }

  // MARK: - Properties

  private mutating func readProperties(_ box: Box) throws(ScanError) {
    try keep(box, 0)
    for child in try children(of: box) {
      switch child.name {
      case "ipco":
        try keep(child, 0)
        // Properties are counted, so an unknown one stays in the list as free space.
        for property in try children(of: child) {
          try keepProperty(property)
          if items.units == nil { items.units = try units(property) }
        }
      case "ipma": try keepAssociations(child)
      default: try drop(child)
      }
    }
  }

  private mutating func keepProperty(_ box: Box) throws(ScanError) {
    switch box.name {
    case "ispe": try keep(box, 12)
    case "pixi": try keep(box, 5 + (try integer(box, at: 4, bytes: 1)))
    case "irot", "imir", "a1op": try keep(box, 1)
    case "lsel": try keep(box, 2)
    case "a1lx": try keep(box, try integer(box, at: 0, bytes: 1) & 1 == 0 ? 7 : 13)
    case "rloc": try keep(box, 12)
    case "auxC": try keepAuxiliaryType(box)
    default: try keepConfiguration(box)
    }
  }

  /// The kinds of auxiliary pictures: transparency, depth, and brightness.
  private static let auxiliaryTypes = [
    "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
    "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:com:apple:photo:2020:aux:hdrgainmap",
  ]

  private mutating func keepAuxiliaryType(_ box: Box) throws(ScanError) {
    let bytes = try peek(box.payload, min(box.count, 64)).dropFirst(4)
    let isKnown = Self.auxiliaryTypes.contains { bytes.starts(with: Array($0.utf8) + [0]) }
    try keep(box, isKnown ? 4 + bytes.prefix { $0 != 0 }.count + 1 : 4)
  }

  private mutating func keepAssociations(_ box: Box) throws(ScanError) {
    let idSize = try version(box) == 0 ? 2 : 4
    let size = try integer(box, at: 3, bytes: 1) & 1 == 0 ? 1 : 2
    let count = try integer(box, at: 4, bytes: 4)
    guard count <= PictureItems.limit else { throw .malformed("it has too many items") }
    var length = 8
    for _ in 0..<count { length += idSize + 1 + size * (try integer(box, at: length + idSize, bytes: 1)) }
    try keep(box, length)
  }
}
