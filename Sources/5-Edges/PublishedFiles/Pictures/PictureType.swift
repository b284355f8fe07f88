/// The type of a picture. Only its first bytes determine it, not what a server declares. SVG and HTML, which can contain programs, match
/// no type.
package enum PictureType: String, Sendable, Hashable, CaseIterable {
  case jpeg = "jpg"
  case png, gif, webp, avif

  /// Determines the type of a picture; `nil` for any other type.
  init?(of bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(64))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if Self.brands(of: head).contains(where: { $0 == "avif" || $0 == "avis" }) {
      self = .avif
    } else {
      return nil
    }
  }

  /// The file name extension.
  var suffix: String { rawValue }

  /// Returns the brands of a file that begins with an `ftyp` box (ISO/IEC 14496-12 §4.3): the major brand and the compatible ones.
  private static func brands(of head: [UInt8]) -> [String] {
    guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return [] }
    let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, head.count)
    // The version follows the major brand.
    let starts = [8] + Array(stride(from: 16, through: end - 4, by: 4))
    return starts.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
  }
}
