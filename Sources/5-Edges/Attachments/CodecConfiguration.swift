/// A decoder's configuration in a film. Only the parts that decoders need are known.
enum CodecConfiguration {
  /// The boxes with a configuration of variable length.
  static let names: Set = ["avcC", "hvcC", "av1C", "esds", "dOps", "dfLa", "dec3"]

  /// Returns a configuration of the same length, with everything unknown set to zero.
  /// - Throws: `.malformed` if it ends too early.
  static func known(_ name: String, _ bytes: [UInt8]) throws(ScanError) -> [UInt8] {
    var known = KnownBytes(bytes)
    switch name {
    case "avcC": try avc(&known)
    case "hvcC": try hevc(&known)
    case "av1C": try av1(&known)
    case "esds": try descriptors(&known)
    case "dOps": try opus(&known)
    case "dfLa":
      try known.keep(4)
      try flacBlocks(&known)
    case "dec3": try eac3(&known)
    default: break
    }
    return known.result
  }

  /// ISO/IEC 14496-15 §5.3.3.1.
  static func avc(_ known: inout KnownBytes) throws(ScanError) {
    let profile = try known.peek(1)
    let count = Int(try known.peek(5) & 0x1F)
    try known.keep(6)
    for _ in 0..<count { try known.keepLengthPrefixed() }
    for _ in 0..<(try known.keepByte()) { try known.keepLengthPrefixed() }
    guard ![66, 77, 88].contains(profile), known.rest >= 4 else { return }
    try known.keep(3)
    for _ in 0..<(try known.keepByte()) { try known.keepLengthPrefixed() }
  }

  /// ISO/IEC 14496-15 §8.3.2.1. Sets of parameters are kept; messages for other programs become fillers.
  static func hevc(_ known: inout KnownBytes) throws(ScanError) {
    try known.keep(22)
    for _ in 0..<(try known.keepByte()) {
      let type = try known.peek(0) & 0x3F
      try known.keep(1)
      for _ in 0..<(try known.keepInteger(2)) {
        if 32...34 ~= type {
          try known.keepLengthPrefixed()
        } else {
          let length = try known.keepInteger(2)
          try known.replace(NALUnits.filler(.hevc, length))
        }
      }
    }
  }

  /// AV1 Codec ISO Media File Format Binding §2.3.3. Only the sequence header is kept.
  static func av1(_ known: inout KnownBytes) throws(ScanError) {
    try known.keep(4)
    guard known.rest >= 2, try known.peek(0) & 0x7A == 0x0A else { return }
    // The size follows the header, and is less than 128.
    let size = Int(try known.peek(1))
    if size < 0x80 { try known.keep(2 + size) }
  }

  /// ISO/IEC 14496-1 §7.2.6. The decoder's configuration is kept; addresses, names and descriptions are not.
  private static func descriptors(_ known: inout KnownBytes) throws(ScanError) {
    try known.keep(4)
    let hasStream = try known.peek(0) == 0x03
    if hasStream {
      _ = try descriptor(&known)
      let flags = try known.peek(2)
      guard flags & 0x60 == 0 else { throw .malformed("a description of a stream refers to another") }
      try known.keep(flags & 0x80 == 0 ? 3 : 5)
    }
    while known.rest >= 2 {
      switch try known.peek(0) {
      // The decoder's configuration, which can contain its specific part.
      case 0x04:
        _ = try descriptor(&known)
        try known.keep(13)
      case 0x05, 0x06: try known.keep(try descriptor(&known))
      default: return
      }
    }
  }

  /// Keeps the tag and the length of a descriptor and returns the length.
  private static func descriptor(_ known: inout KnownBytes) throws(ScanError) -> Int {
    try known.keep(1)
    var length = 0
    for _ in 0..<4 {
      let byte = try known.keepByte()
      length = length << 7 | byte & 0x7F
      if byte & 0x80 == 0 { break }
    }
    return length
  }

  /// Encapsulation of Opus in ISO Base Media File Format §4.3.2.
  private static func opus(_ known: inout KnownBytes) throws(ScanError) {
    let channels = Int(try known.peek(1))
    let family = try known.peek(10)
    try known.keep(11)
    if family != 0 { try known.keep(2 + channels) }
  }

  /// ETSI TS 102 366 annex F.6.
  private static func eac3(_ known: inout KnownBytes) throws(ScanError) {
    let count = Int(try known.peek(1) & 7) + 1
    try known.keep(2)
    for _ in 0..<count { try known.keep(try known.peek(2) & 0x1E == 0 ? 3 : 4) }
    // The extension for objects in space.
    if known.rest >= 2 { try known.keep(2) }
  }

  /// Keeps the first metadata block of FLAC, which describes the stream. Others become padding (RFC 9639 §8).
  static func flacBlocks(_ known: inout KnownBytes) throws(ScanError) {
    var isLast = false
    while !isLast, known.rest >= 4 {
      let header = try known.peek(0)
      isLast = header & 0x80 != 0
      let length = Int(try known.peek(1)) << 16 | Int(try known.peek(2)) << 8 | Int(try known.peek(3))
      if header & 0x7F == 0 {
        guard length == 34 else { throw .malformed("a block of FLAC has a wrong length") }
        try known.keep(4 + length)
      } else {
        try known.replace([header & 0x80 | 1])
        try known.keep(3)
        try known.skip(length)
      }
    }
  }
}
