/// The formats of a film's samples (ISO/IEC 14496-12 §8.5.2, QuickTime File Format "Sample Description Atoms").
extension BoxContent {
  /// Formats whose samples contain only pictures. Motion JPEG is excluded: each of its pictures can contain Exif data.
  static let pictureFormats: Set = [
    "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "av01", "vp08", "vp09", "mp4v", "s263", "H263",
    "h263",
    "apch", "apcn", "apcs", "apco", "ap4h", "ap4x",
  ]
  static let soundFormats: Set = [
    "mp4a", "alac", "ac-3", "ec-3", "ac-4", "Opus", "fLaC", ".mp3", "samr", "sawb", "apac", "ulaw", "alaw", "sowt",
    "twos", "in24", "in32", "fl32", "fl64", "lpcm", "raw ", "ima4", "ipcm", "fpcm",
  ]

  /// Reads a track's formats, and keeps what is needed to decode each.
  mutating func readFormats(_ box: Box, _ track: inout FilmTrack) throws(ScanError) {
    try keep(box, 8)
    let version = try version(box)
    for entry in try children(of: box, from: 8) {
      if track.handler != "soun", Self.pictureFormats.contains(entry.name) {
        try readPictureFormat(entry, &track)
      } else if track.handler == "soun", Self.soundFormats.contains(entry.name) {
        try readSoundFormat(entry, version: version, &track)
      } else {
        track.unknownFormat = entry.name
        try drop(entry)
      }
      track.formats.append(entry.name)
    }
  }

  /// Keeps the size and the resolution. The encoder's name and the other fields become zeros.
  private mutating func readPictureFormat(_ box: Box, _ track: inout FilmTrack) throws(ScanError) {
    try keep(box, [6..<10, 24..<36, 40..<42, 74..<78])
    for child in try children(of: box, from: 78) {
      try keepConfiguration(child)
      track.units = try units(child) ?? track.units
    }
  }

  /// Returns how samples are divided into units, if the box describes it (ISO/IEC 14496-15 §§5.3.3.1, 8.3.2.1).
  mutating func units(_ box: Box) throws(ScanError) -> NALUnits? {
    switch box.name {
    case "avcC": NALUnits(.avc, lengthSize: try integer(box, at: 4, bytes: 1) & 3 + 1)
    case "hvcC": NALUnits(.hevc, lengthSize: try integer(box, at: 21, bytes: 1) & 3 + 1)
    default: nil
    }
  }

  private mutating func readSoundFormat(_ box: Box, version: Int, _ track: inout FilmTrack) throws(ScanError) {
    // QuickTime's second and third versions have more fields; ISO files use the same number for another purpose.
    let kind = version == 0 ? try integer(box, at: 8, bytes: 2) : 0
    let length = kind == 0 ? 28 : kind == 1 ? 44 : 64
    try keep(box, [6..<10, 16..<length])
    let channels = try integer(box, at: 16, bytes: 2)
    let bits = try integer(box, at: 18, bytes: 2)
    let perSample: Int? =
      switch box.name {
      case "sowt", "twos", "raw ", "lpcm": bits / 8
      case "ulaw", "alaw": 1
      case "in24": 3
      case "in32", "fl32": 4
      case "fl64": 8
      default: nil
      }
    let isUncompressed = perSample != nil
    switch kind {
    case 1:
      track.packets = .init(
        samples: max(1, try integer(box, at: 28, bytes: 4)), bytes: try integer(box, at: 36, bytes: 4),
        isUncompressed: isUncompressed)
    case 2:
      track.packets = .init(
        samples: 1, bytes: try integer(box, at: 56, bytes: 4), isUncompressed: isUncompressed)
    case _ where box.name == "ima4":
      track.packets = .init(samples: 64, bytes: 34 * channels, isUncompressed: false)
    default:
      if let perSample { track.packets = .init(samples: 1, bytes: perSample * channels, isUncompressed: true) }
    }
    for child in try children(of: box, from: length) { try keepConfiguration(child) }
  }

  /// Keeps a box that describes how samples are decoded or shown.
  mutating func keepConfiguration(_ box: Box) throws(ScanError) {
    if let length = Self.configurationLengths[box.name] { return try keep(box, length) }
    switch box.name {
    case "wave", "sv3d", "proj":
      try keep(box, 0)
      for child in try children(of: box) { try keepConfiguration(child) }
    // The name of the program that made a spherical film, and an empty box in QuickTime sound.
    case "svhd", "mp4a": try keep(box, 0)
    case "colr": try keepColors(box)
    case "chan": try keep(box, 16 + 20 * (try integer(box, at: 12, bytes: 4)))
    case "dac4", "dapa": try keep(box, min(box.count, 64))
    case _ where CodecConfiguration.names.contains(box.name):
      guard box.count <= Self.configurationLimit else { throw .malformed("the \(box.name) box is too long") }
      let bytes = try peek(box.payload, box.count)
      let known = try CodecConfiguration.known(box.name, bytes)
      if known == bytes { try keep(box, box.count) } else { try keep(box, content: known) }
    default: try drop(box)
    }
  }

  /// The maximum size of a decoder's configuration in bytes.
  private static let configurationLimit = 1 << 20

  private static let configurationLengths = [
    "vpcC": 12, "dvcC": 24, "dvvC": 24, "dvwC": 24, "pasp": 8, "clap": 32, "fiel": 2, "btrt": 12, "mdcv": 24, "clli": 4,
    "SmDm": 28, "CoLL": 8, "amve": 8, "gama": 4, "st3d": 5, "prhd": 16, "equi": 20, "ccst": 8, "dac3": 3, "pcmC": 6,
    "alac": 28, "damr": 9, "d263": 7, "srat": 8, "frma": 4, "enda": 2,
  ]

  /// Keeps numbers that describe colours, or an ICC profile (ISO/IEC 14496-12 §12.1.5).
  mutating func keepColors(_ box: Box) throws(ScanError) {
    guard box.count >= 4 else { return try drop(box) }
    switch String(decoding: try peek(box.payload, 4), as: UTF8.self) {
    case "nclx": try keep(box, 11)
    case "nclc": try keep(box, 10)
    case "prof", "rICC":
      let header = try peek(box.payload + 4, min(box.count - 4, ICCProfile.headerSize))
      guard let size = ICCProfile.size(beginning: header[...]) else { return try drop(box) }
      try keep(box, min(box.count, 4 + size))
    default: try drop(box)
    }
  }
}
