/// Messages in H.264 and H.265 streams (ITU-T H.264 §7.3 and annex D, H.265 §7.3 and annex D).
///
/// Cameras write positions into messages (SEI) between the pictures, and encoders write their names and settings. Decoders need only some
/// kinds of messages. A unit of an unknown type, or with any other message, becomes filler data of the same length, which decoders skip.
struct NALUnits: Hashable {
  enum Codec { case avc, hevc }

  let codec: Codec
  /// The size of the length before each unit, in bytes.
  let lengthSize: Int

  private static let avcTypes = Set<UInt8>(1...5).union(7...11).union(13...15).union(19...21).union([28])
  private static let hevcTypes = Set<UInt8>(0...9).union(16...21).union(32...37).union([62, 63])

  /// The maximum size of messages to read, in bytes. Larger messages become filler data.
  private static let messageLimit = 1 << 16

  init(_ codec: Codec, lengthSize: Int) {
    self.codec = codec
    self.lengthSize = lengthSize
  }

  /// Keeps consecutive units and replaces those with unknown messages.
  /// - Throws: `.malformed` if a unit is not in the range.
  func keep(_ range: Range<Int>, _ scanner: inout FileScanner, in kept: inout KeptParts) throws(ScanError) {
    try kept.keep(range)
    var offset = range.lowerBound
    // Padding after the last unit is shorter than a length field.
    while range.upperBound - offset > lengthSize {
      try scanner.move(to: offset)
      let length = try scanner.integer(bytes: lengthSize)
      let start = offset + lengthSize
      guard length <= range.upperBound - start else { throw .malformed("a picture of the film is too short") }
      if length > 0, !(try isKnown(length, &scanner)) {
        try kept.replace(at: start, with: Self.filler(codec, length))
      }
      offset = start + length
    }
  }

  /// Returns whether decoders need the unit of this length at the scanner's offset.
  private func isKnown(_ length: Int, _ scanner: inout FileScanner) throws(ScanError) -> Bool {
    let start = scanner.offset
    let header = try scanner.byte()
    switch codec == .avc ? header & 0x1F : header >> 1 & 0x3F {
    case 6 where codec == .avc, 39 where codec == .hevc, 40 where codec == .hevc:
      guard length <= Self.messageLimit else { return false }
      try scanner.move(to: start)
      return hasOnlyKnownMessages(try scanner.bytes(length))
    case 12 where codec == .avc, 38 where codec == .hevc:
      try scanner.move(to: start)
      return try isFiller(length, &scanner)
    // Slices, parameter sets and delimiters; 28, 62 and 63 contain the brightness of Dolby Vision. Other types are reserved or unspecified.
    case let type: return (codec == .avc ? Self.avcTypes : Self.hevcTypes).contains(type)
    }
  }

  /// Returns whether the unit contains nothing but filler data.
  private func isFiller(_ length: Int, _ scanner: inout FileScanner) throws(ScanError) -> Bool {
    var rest = length - (codec == .avc ? 1 : 2)
    guard rest > 0 else { return true }
    try scanner.skip(length - rest)
    while rest > 1 {
      let bytes = try scanner.bytes(min(rest - 1, FileScanner.bufferSize))
      guard bytes.allSatisfy({ $0 == 0xFF }) else { return false }
      rest -= bytes.count
    }
    return try scanner.byte() == 0x80
  }

  /// Returns a unit of this length that decoders skip.
  static func filler(_ codec: Codec, _ count: Int) -> [UInt8] {
    let header: [UInt8] = codec == .avc ? [12] : [38 << 1, 1]
    guard count > header.count else { return Array(header.prefix(count)) }
    return header + [UInt8](repeating: 0xFF, count: count - header.count - 1) + [0x80]
  }

  // MARK: - Messages

  /// Returns whether a unit contains only messages that decoders use.
  private func hasOnlyKnownMessages(_ unit: [UInt8]) -> Bool {
    var rest = Self.unescaped(unit.dropFirst(codec == .avc ? 1 : 2))[...]
    // A bit that is set ends the messages.
    while rest.count > 1 {
      guard let type = Self.number(&rest), let size = Self.number(&rest), size <= rest.count,
        isKnown(type, rest.prefix(size))
      else { return false }
      rest = rest.dropFirst(size)
    }
    return rest.elementsEqual([0x80])
  }

  private func isKnown(_ type: Int, _ message: ArraySlice<UInt8>) -> Bool {
    switch type {
    // Timing, the recovery point, the brightness and colours of the screen, frames for both eyes, rotation.
    case 0, 1, 6, 45, 47, 137, 144, 147: true
    // Parameter sets, decoding units, hashes of pictures, and transparency.
    case 129, 130, 132, 165: codec == .hevc
    // The brightness of each scene (HDR10+, SMPTE ST 2094-40). Messages of this kind from other vendors can contain anything.
    case 4: message.starts(with: [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04])
    default: false
    }
  }

  /// Reads a number that is the sum of its bytes. Only the last byte is not 255.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    while let byte = bytes.popFirst() {
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }

  /// Removes the bytes that prevent start codes (H.264 §7.4.1).
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
