import Attachments
import Glibc
import TestSupport
import Testing

/// Small sample files assembled from bytes. Their pictures cannot be decoded, but their structure is valid.
enum Samples {
  static let secret = Array("SECRET".utf8)

  // MARK: - JPEG

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
  }

  static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
  /// An ICC profile without tags, of an odd size.
  static let profileData: [UInt8] =
    [0, 0, 0, 133] + [UInt8](repeating: 7, count: 32) + Array("acsp".utf8) + [UInt8](repeating: 7, count: 93)
  static let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profileData)
  static let adobe = segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
  static let tables = segment(0xDB, [UInt8](repeating: 1, count: 65)) + segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
  /// A Huffman table with a single code.
  static let codes = segment(0xC4, [0, 1] + [UInt8](repeating: 0, count: 16))
  static let scan =
    segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xFF, 0xD1, 0x78]

  static func exif(orientation: UInt8, isLittleEndian: Bool = true) -> [UInt8] {
    // Exif data with an orientation and a position. The position consists only of the latitude's reference.
    isLittleEndian
      ? Array("II".utf8) + [42, 0, 8, 0, 0, 0, 2, 0]
        + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0] + [
          0, 0, 0, 0,
        ]
        + [1, 0] + [1, 0, 2, 0, 2, 0, 0, 0, 0x4E, 0, 0, 0] + [0, 0, 0, 0] + secret
      : Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
        + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38] + [
          0, 0, 0, 0,
        ]
        + [0, 1] + [0, 1, 0, 2, 0, 0, 0, 2, 0x4E, 0, 0, 0] + [0, 0, 0, 0] + secret
  }

  static func exifSegment(orientation: UInt8, isLittleEndian: Bool = true) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + exif(orientation: orientation, isLittleEndian: isLittleEndian))
  }

  static let minimalExif: [UInt8] =
    Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]

  static let jpeg: [UInt8] =
    [0xFF, 0xD8] + jfif + exifSegment(orientation: 6)
    + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret) + profile
    + segment(0xED, secret) + segment(0xFE, secret) + segment(0xE4, secret) + adobe + [0xFF, 0xFF] + tables + scan
    + segment(0xDE, secret) + segment(0xDF, secret) + segment(0xF7, secret) + codes + segment(0xFE, secret) + scan + [
      0xFF, 0xD9,
    ] + secret
  static let strippedJPEG: [UInt8] =
    [0xFF, 0xD8] + jfif + segment(0xE1, Array("Exif\0\0".utf8) + minimalExif) + profile + adobe + tables + scan
    + codes + scan + [0xFF, 0xD9]

  // MARK: - PNG

  static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + payload
    return bigEndian(payload.count) + content + bigEndian(Int(crc32(content)))
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }

  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let header = chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  private static let data = chunk("IDAT", [1, 2, 3]) + chunk("IDAT", [4])

  static let png: [UInt8] =
    pngSignature + header + chunk("gAMA", [0, 0, 1, 1]) + chunk("iCCP", Array("SECRET\0\0".utf8) + [9, 9])
    + chunk("tEXt", secret) + data
    + chunk("zTXt", secret)
    + chunk("iTXt", secret) + chunk("tIME", secret) + chunk("eXIf", exif(orientation: 6)) + chunk("prVt", secret)
    + chunk("IEND", []) + secret
  static let strippedPNG: [UInt8] =
    pngSignature + header + chunk("eXIf", minimalExif) + chunk("gAMA", [0, 0, 1, 1])
    + chunk("iCCP", Array("icc\0\0".utf8) + [9, 9]) + data
    + chunk("IEND", [])

  // MARK: - WebP

  static func riff(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + littleEndian(chunks.count + 4) + Array("WEBP".utf8) + chunks
  }

  static func part(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    Array(name.utf8) + littleEndian(payload.count) + payload + [UInt8](repeating: 0, count: payload.count % 2)
  }

  private static let frame = [UInt8](repeating: 5, count: 16) + part("ALPH", [1]) + part("VP8 ", [1, 2, 3])

  static let webP: [UInt8] =
    riff(
      part("VP8X", [0x2E, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + part("ICCP", profileData + secret)
        + part("ANIM", [0, 0, 0, 0, 0, 0] + secret)
        + part("ANMF", frame + part("priv", secret)) + part("priv", secret) + part("EXIF", exif(orientation: 6))
        + part("XMP ", secret))
    + secret
  static let strippedWebP: [UInt8] = riff(
    part("VP8X", [0x2A, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + part("ICCP", profileData) + part("ANIM", [0, 0, 0, 0, 0, 0])
      + part("ANMF", frame) + part("EXIF", minimalExif))

  // MARK: - GIF

  private static func blocks(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { [UInt8($0.count)] + $0 } + [0] }

  private static let screen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
  private static let loop = [0x21, 0xFF] + blocks(Array("NETSCAPE2.0".utf8), [1, 0, 0])
  private static let image =
    [0x21, 0xF9] + blocks([0, 0, 0, 0]) + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x81] + [UInt8](repeating: 1, count: 12) + [2]
    + blocks([0x4C, 1], [3])

  static let gif: [UInt8] =
    screen + [0x21, 0xFF] + blocks(Array("NETSCAPE2.0".utf8), [1, 0, 0], secret) + [0x21, 0xFE] + blocks(secret, secret)
    + [0x21, 0xFF] + blocks(Array("XMP DataXMP".utf8), secret)
    + image
    + [0x21, 0xF9] + blocks([0, 0, 0, 0]) + [0x21, 0x01] + blocks([UInt8](repeating: 1, count: 12), secret)
    + [0x21, 0xAB] + blocks(secret) + [0x3B] + secret
  static let strippedGIF: [UInt8] = screen + loop + image + [0x3B]

  static let strippable: [(MediaType, [UInt8], [UInt8])] = [
    (.jpeg, jpeg, strippedJPEG), (.png, png, strippedPNG), (.webP, webP, strippedWebP), (.gif, gif, strippedGIF),
  ]

  static func bigEndian(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
  private static func littleEndian(_ value: Int) -> [UInt8] { bigEndian(value).reversed() }
}

extension TemporaryFolder {
  /// Writes a file and returns its path.
  func file(_ bytes: [UInt8], _ name: String = "file") throws -> String {
    try Self.write(bytes, to: "\(path)/\(name)")
  }

  static func write(_ bytes: [UInt8], to path: String) throws -> String {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    return path
  }
}

extension PostAttachment {
  /// Returns the whole content.
  func wholeContent() throws -> [UInt8] { try bytes(at: 0, count: size) }
}
