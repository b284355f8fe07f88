/// An element of a Matroska file (RFC 8794 §4).
struct MatroskaElement {
  let id: Int
  /// The offset of the header.
  let start: Int
  /// The offset of the content.
  let payload: Int
  /// The end of the content; nil if the size is unknown.
  let end: Int?

  static let segment = 0x1853_8067
  static let cluster = 0x1F43_B675

  /// Reads the header of an element.
  init(_ scanner: inout FileScanner) throws(ScanError) {
    start = scanner.offset
    guard let id = try Self.number(&scanner, keepsMarker: true, longest: 4) else {
      throw .malformed("an element is wrong")
    }
    self.id = id
    let size = try Self.number(&scanner, keepsMarker: false, longest: 8)
    payload = scanner.offset
    if let size {
      guard size <= scanner.size - payload else { throw .malformed("it is truncated") }
      end = payload + size
    } else {
      end = nil
    }
  }

  /// Reads a variable-size number. Returns nil for an unknown size.
  static func number(_ scanner: inout FileScanner, keepsMarker: Bool, longest: Int) throws(ScanError) -> Int? {
    let first = try scanner.byte()
    let length = first.leadingZeroBitCount + 1
    guard length <= longest else { throw .malformed("a number is too long") }
    let rest = try scanner.integer(bytes: length - 1)
    let low = Int(first) & (0xFF >> length)
    let value = low << (8 * (length - 1)) | rest
    if keepsMarker { return Int(first) << (8 * (length - 1)) | rest }
    return value == 1 << (7 * length) - 1 ? nil : value
  }

  /// Returns the header of a void element, whose header and content together have this size.
  static func voidHeader(size: Int) -> [UInt8] {
    // The size is written with as many bytes as it needs; the element has at least two bytes.
    for length in 1...8 {
      let content = size - 1 - length
      if content >= 0, content < 1 << (7 * length) - 1 {
        let value = content | 1 << (7 * length)
        return [0xEC] + (0..<length).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
      }
    }
    return []
  }

  // MARK: - Known elements

  enum Kind {
    /// The content consists of elements.
    case parent
    /// A track's description.
    case track
    /// Samples.
    case block
    /// A value of at most this many bytes.
    case value(Int)
    /// A text that must exist, and can be empty.
    case zeros
    /// The name of the kind of file.
    case kind
  }

  /// The elements to send, by id. The same id never has two meanings (RFC 9559 §5.1).
  static let kinds: [Int: Kind] = {
    var kinds: [Int: Kind] = [0xAE: .track, 0xA3: .block, 0xA1: .block, 0x4282: .kind]
    // EBML, Segment, SeekHead, Seek, Info, Tracks, Cluster, BlockGroup, Cues, CuePoint, CueTrackPositions.
    for id in [
      0x1A45_DFA3, segment, 0x114D_9B74, 0x4DBB, 0x1549_A966, 0x1654_AE6B, cluster, 0xA0, 0x1C53_BB6B, 0xBB, 0xB7,
    ] { kinds[id] = .parent }
    // The versions and limits of the format, SeekID, SeekPosition, TimestampScale, Duration, a cluster's Timestamp, Position and PrevSize,
    // BlockDuration, ReferenceBlock, ReferencePriority, DiscardPadding, CueTime, CueTrack, CueClusterPosition, CueRelativePosition,
    // CueDuration, CueBlockNumber.
    for id in [
      0x4286, 0x42F7, 0x42F2, 0x42F3, 0x4287, 0x4285, 0x53AB, 0x53AC, 0x2A_D7B1, 0x4489, 0xE7, 0xA7, 0xAB, 0x9B, 0xFB,
      0xFA, 0x75A2, 0xB3, 0xF7, 0xF1, 0xF0, 0xB2, 0x5378,
    ] { kinds[id] = .value(8) }
    // MuxingApp and WritingApp.
    for id in [0x4D80, 0x5741] { kinds[id] = .zeros }
    return kinds
  }()
}
