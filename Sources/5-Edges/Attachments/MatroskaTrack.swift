/// The description of a Matroska track (RFC 9559 §5.1.4), with only what is needed to play it.
struct MatroskaTrack {
  /// The description without unknown elements. It has the same size.
  private(set) var content: [UInt8]
  private(set) var number = 0
  private(set) var codec = ""
  private var type = 0
  private var isEncrypted = false
  private var hasEncodings = false
  private var configuration: Range<Int>?

  /// Whether the track has pictures or sound.
  var isMedia: Bool { type == 1 || type == 2 }

  /// Whether homeline knows the format of the track.
  var isKnown: Bool {
    // Units cannot be found in blocks that were compressed again.
    guard !isEncrypted, units == nil || !hasEncodings else { return false }
    if codec == "V_MS/VFW/FOURCC" {
      let name = content[configuration ?? 0..<0].dropFirst(16).prefix(4)
      return Self.windowsCodecs.contains(String(decoding: name, as: UTF8.self))
    }
    return Self.codecs.contains { codec == $0 || codec.hasPrefix($0 + "/") }
  }

  /// How the samples are divided into units, in H.264 and H.265.
  var units: NALUnits? {
    let bytes = content[configuration ?? 0..<0]
    return switch codec {
    case "V_MPEG4/ISO/AVC" where bytes.count > 4: NALUnits(.avc, lengthSize: Int(bytes[bytes.startIndex + 4] & 3) + 1)
    case "V_MPEGH/ISO/HEVC" where bytes.count > 21:
      NALUnits(.hevc, lengthSize: Int(bytes[bytes.startIndex + 21] & 3) + 1)
    default: nil
    }
  }

  /// - Throws: `.malformed` for elements that end too late.
  init(_ bytes: [UInt8]) throws(ScanError) {
    content = bytes
    try readElements(0..<bytes.count)
    guard let configuration else { return }
    let known = try Self.known(Array(bytes[configuration]), codec)
    content.replaceSubrange(configuration, with: known)
  }

  /// Formats whose samples contain only pictures or sound. In some names, a slash precedes a variant.
  private static let codecs = [
    "V_VP8", "V_VP9", "V_AV1", "V_MPEG4/ISO", "V_MPEGH/ISO/HEVC", "V_FFV1", "V_THEORA", "V_PRORES", "V_UNCOMPRESSED",
    "A_OPUS", "A_VORBIS", "A_FLAC", "A_AAC", "A_MPEG", "A_AC3", "A_EAC3", "A_DTS", "A_TRUEHD", "A_PCM", "A_ALAC",
  ]

  /// The names of such formats in Windows.
  private static let windowsCodecs: Set = ["FFV1", "FMP4", "XVID", "DIVX", "DX50", "HFYU", "VP80", "VP90"]

  // MARK: - Elements

  private mutating func readElements(_ range: Range<Int>) throws(ScanError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let start = offset
      let id = try vint(&offset, until: range.upperBound, keepsMarker: true)
      let size = try vint(&offset, until: range.upperBound, keepsMarker: false)
      guard size <= range.upperBound - offset else { throw .malformed("an element is too long") }
      let payload = offset..<offset + size
      try readElement(id, start, payload)
      offset = payload.upperBound
    }
  }

  private mutating func readElement(_ id: Int, _ start: Int, _ payload: Range<Int>) throws(ScanError) {
    let value = content[payload].prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    switch id {
    case _ where Self.parents.contains(id): try readElements(payload)
    case 0xD7: number = Int(clamping: value)
    case 0x83: type = Int(clamping: value)
    // Encryption.
    case 0x5033 where value != 0, 0x5035: isEncrypted = true
    case 0x6D80:
      hasEncodings = true
      try readElements(payload)
    case 0x86:
      codec = String(decoding: content[payload].prefix { $0 != 0 }, as: UTF8.self)
      // Nothing can follow the name: unknown names are refused.
      for index in payload.dropFirst(codec.utf8.count) { content[index] = 0 }
    case 0x63A2: configuration = payload
    // Two to 20 bytes that some compressions and projections need.
    case 0x4255,
      0x7672 where payload.count <= 20:
      break
    case 0x22_B59C where payload.count <= 16 && content[payload].allSatisfy { 0x61...0x7A ~= $0 }: break
    case _ where Self.numbers.contains(id) && payload.count <= 8: break
    default:
      let header = MatroskaElement.voidHeader(size: payload.upperBound - start)
      let zeros = [UInt8](repeating: 0, count: payload.upperBound - start - header.count)
      content.replaceSubrange(start..<payload.upperBound, with: header + zeros)
    }
  }

  /// Video, Colour, MasteringMetadata, Projection, Audio, ContentEncoding, ContentCompression.
  private static let parents: Set = [0xE0, 0x55B0, 0x55D0, 0x7670, 0xE1, 0x6240, 0x5034]

  private static let numbers: Set = [
    // The track's UID, flags, caches, durations, offsets and delays.
    0x73C5, 0xB9, 0x88, 0x55AA, 0x55AB, 0x55AC, 0x55AD, 0x55AE, 0x55AF, 0x9C, 0x6DE7, 0x6DF8, 0x23_E383, 0x23_4E7A,
    0x23_314F, 0x537F, 0x55EE, 0x56AA, 0x56BB, 0xAA,
    // Video: interlacing, stereo, transparency, sizes, cropping, aspect ratio, the uncompressed format.
    0x9A, 0x9D, 0x53B8, 0x53C0, 0xB0, 0xBA, 0x54AA, 0x54BB, 0x54CC, 0x54DD, 0x54B0, 0x54BA, 0x54B2, 0x54B3, 0x2E_B524,
    // Colours, and the screen that they were made for.
    0x55B1, 0x55B2, 0x55B3, 0x55B4, 0x55B5, 0x55B6, 0x55B7, 0x55B8, 0x55B9, 0x55BA, 0x55BB, 0x55BC, 0x55BD,
    0x55D1, 0x55D2, 0x55D3, 0x55D4, 0x55D5, 0x55D6, 0x55D7, 0x55D8, 0x55D9, 0x55DA,
    // The projection's kind and rotation.
    0x7671, 0x7673, 0x7674, 0x7675,
    // Audio: frequencies, channels, depth, emphasis.
    0xB5, 0x78B5, 0x9F, 0x6264, 0x52F1,
    // The order, scope and kind of encodings.
    0x5031, 0x5032, 0x5033, 0x4254,
  ]

  private func vint(_ offset: inout Int, until end: Int, keepsMarker: Bool) throws(ScanError) -> Int {
    guard offset < end else { throw .malformed("an element is too long") }
    let first = content[offset]
    let length = first.leadingZeroBitCount + 1
    guard length <= (keepsMarker ? 4 : 8), length <= end - offset else { throw .malformed("an element is too long") }
    var value = keepsMarker ? Int(first) : Int(first) & (0xFF >> length)
    for index in offset + 1..<offset + length { value = value << 8 | Int(content[index]) }
    offset += length
    return value
  }

  // MARK: - Configurations

  /// Returns the configuration of a decoder with zeros in place of everything unknown.
  private static func known(_ bytes: [UInt8], _ codec: String) throws(ScanError) -> [UInt8] {
    var known = KnownBytes(bytes)
    switch codec {
    case "V_MPEG4/ISO/AVC": try CodecConfiguration.avc(&known)
    case "V_MPEGH/ISO/HEVC": try CodecConfiguration.hevc(&known)
    case "V_AV1": try CodecConfiguration.av1(&known)
    case "A_FLAC":
      try known.keep(4)
      try CodecConfiguration.flacBlocks(&known)
    case "A_OPUS":
      let channels = Int(try known.peek(9))
      let family = try known.peek(18)
      try known.keep(family == 0 ? 19 : 21 + channels)
    case "A_VORBIS", "V_THEORA": try xiphHeaders(&known)
    case "V_FFV1", "V_MPEG4/ISO/ASP", "V_MPEG4/ISO/SP", "V_MS/VFW/FOURCC": try known.keep(min(bytes.count, 1024))
    default: try known.keep(min(bytes.count, 64))
    }
    return known.result
  }

  /// Keeps the three headers of Vorbis or Theora (RFC 9559 §6.7, Vorbis I §5). The second one contains comments, which become zeros.
  private static func xiphHeaders(_ known: inout KnownBytes) throws(ScanError) {
    guard try known.keepInteger(1) == 2 else { throw .malformed("a description of a codec is wrong") }
    var lengths: [Int] = []
    for _ in 0..<2 {
      var length = 0
      var byte = 255
      while byte == 255 {
        byte = try known.keepInteger(1)
        length += byte
      }
      lengths.append(length)
    }
    try known.keep(lengths[0])
    let end = known.rest - lengths[1]
    guard end >= 0, lengths[1] > 7 else { throw .malformed("a description of a codec is too short") }
    // The type of the header, and the name of the codec.
    try known.keep(7)
    // The maker, the number of comments, and each comment: only the texts become zeros, not their lengths.
    try known.skip(try littleEndian(&known))
    for _ in 0..<(try littleEndian(&known)) { try known.skip(try littleEndian(&known)) }
    // The last bit of Vorbis comments is set.
    if known.rest > end { try known.keep(1) }
    guard known.rest >= end else { throw .malformed("a description of a codec is wrong") }
    try known.skip(known.rest - end)
    try known.keep(end)
  }

  private static func littleEndian(_ known: inout KnownBytes) throws(ScanError) -> Int {
    var value = 0
    for distance in 0..<4 { value |= Int(try known.peek(distance)) << (8 * distance) }
    try known.keep(4)
    return value
  }
}
