/// The type of a file to attach to a post. The type is determined from the file's content, not from its name.
package enum MediaType: String, Sendable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webP = "image/webp"
  case heic = "image/heic"
  case heif = "image/heif"
  case avif = "image/avif"
  case mp4 = "video/mp4"
  case quickTime = "video/quicktime"
  case threeGP = "video/3gpp"
  case webM = "video/webm"
  case matroska = "video/x-matroska"
  case m4a = "audio/mp4"
  case mp3 = "audio/mpeg"
  case ogg = "audio/ogg"
  case flac = "audio/flac"
  case wav = "audio/wav"

  /// The usual file name extension, without the dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .gif: "gif"
    case .webP: "webp"
    case .heic: "heic"
    case .heif: "heif"
    case .avif: "avif"
    case .mp4: "mp4"
    case .quickTime: "mov"
    case .threeGP: "3gp"
    case .webM: "webm"
    case .matroska: "mkv"
    case .m4a: "m4a"
    case .mp3: "mp3"
    case .ogg: "ogg"
    case .flac: "flac"
    case .wav: "wav"
    }
  }

  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The number of bytes at the beginning of a file that `init(beginning:)` needs.
  static let beginningSize = 256

  /// Determines the type of a file that begins with these bytes; nil if the type is unknown.
  init?(beginning bytes: [UInt8]) {
    func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: Self.pngSignature) {
      self = .png
    } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
      self = .gif
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webP
    } else if has("RIFF", at: 0), has("WAVE", at: 8) {
      self = .wav
    } else if has("ftyp", at: 4) {
      self.init(brandsIn: bytes)
    } else if ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { has($0, at: 4) }) {
      // QuickTime files from before 1998 have no brands.
      self = .quickTime
    } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      let header = String(decoding: bytes.prefix(64), as: UTF8.self)
      guard header.contains("webm") || header.contains("matroska") else { return nil }
      self = header.contains("webm") ? .webM : .matroska
    } else if has("OggS", at: 0) {
      self = .ogg
    } else if has("fLaC", at: 0) {
      self = .flac
    } else if has("ID3", at: 0)
      || bytes.count > 1 && bytes[0] == 0xFF && [0xFA, 0xFB, 0xF2, 0xF3, 0xE2, 0xE3].contains(bytes[1])
    {
      self = .mp3
    } else {
      return nil
    }
  }

  /// Reads the brands of a file in the ISO base media format (ISO/IEC 14496-12 §4.3). The first brand is the main brand.
  private init?(brandsIn bytes: [UInt8]) {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, bytes.count)
    var brands: [String] = []
    for offset in stride(from: 8, through: end - 4, by: 4) where offset != 12 {
      brands.append(String(decoding: bytes[offset..<offset + 4], as: UTF8.self))
    }
    // A picture's main brand can be generic, so the first brand in this list decides.
    for brand in brands {
      switch brand {
      case "avif", "avis": self = .avif
      case "heic", "heix", "heim", "heis", "hevc", "hevx": self = .heic
      case "qt  ": self = .quickTime
      case "M4A ", "M4B ": self = .m4a
      case _ where brand.hasPrefix("3gp") || brand.hasPrefix("3g2"): self = .threeGP
      case "isom", "mp41", "mp42", "avc1", "iso2", "iso3", "iso4", "iso5", "iso6", "M4V ", "MSNV", "dash": self = .mp4
      default: continue
      }
      return
    }
    guard brands.contains("mif1") || brands.contains("msf1") else { return nil }
    self = .heif
  }
}
