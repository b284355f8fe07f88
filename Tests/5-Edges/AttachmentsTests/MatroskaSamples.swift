/// Small Matroska and WebM files assembled from elements.
enum MatroskaSamples {
  static func element(_ name: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap { $0 }
    return name + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  static let video = element(
    [0xAE], element([0xD7], [1]), element([0x83], [1]), element([0x86], Array("V_VP9".utf8)),
    element([0x53, 0x6E], Samples.secret), element([0xE0], element([0xB0], [1]), element([0x42, 0x34], Samples.secret)))
  static let sound = element(
    [0xAE], element([0xD7], [2]), element([0x83], [2]), element([0x86], Array("A_VORBIS".utf8)),
    element([0x63, 0xA2], vorbis))
  static let subtitles = element(
    [0xAE], element([0xD7], [3]), element([0x83], [0x11]), element([0x86], Array("S_TEXT/UTF8".utf8)))

  /// The three headers of Vorbis. The second one contains a comment with the secret.
  private static let vorbis: [UInt8] = {
    let comment = Array("LOCATION=SECRET".utf8)
    let comments: [UInt8] =
      [3] + Array("vorbis".utf8) + [6, 0, 0, 0] + Samples.secret + [1, 0, 0, 0] + [UInt8(comment.count), 0, 0, 0]
      + comment + [1]
    return [2, 3, UInt8(comments.count), 1, 2, 3] + comments + [5, 5, 5]
  }()

  static func block(_ track: UInt8, _ content: [UInt8]) -> [UInt8] {
    element([0xA3], [0x80 | track, 0, 0, 0x80], content)
  }

  static let blocks =
    element([0xE7], [0]) + block(1, [1, 2, 3]) + block(2, [4, 5]) + block(3, Samples.secret)
    + element([0xA0], element([0xA1], [0x83, 0, 0, 0], Samples.secret), element([0x9B], [1]))

  /// Returns a film.
  /// - Parameters:
  ///   - isLive: whether the sizes of the segment and the cluster are unknown.
  ///   - more: elements at the end of the segment.
  static func film(
    _ tracks: [UInt8] = video + sound + subtitles, _ blocks: [UInt8] = blocks, isLive: Bool = false,
    kind: String = "webm",
    more: [UInt8] = []
  ) -> [UInt8] {
    let header = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array(kind.utf8)))
    let info = element(
      [0x15, 0x49, 0xA9, 0x66], element([0x2A, 0xD7, 0xB1], [15, 66, 64]), element([0x4D, 0x80], Samples.secret),
      element([0x44, 0x61], [0, 0, 0, 0, 0, 0, 0, 1]), element([0x7B, 0xA9], Samples.secret))
    let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    let parts =
      info + element([0x16, 0x54, 0xAE, 0x6B], tracks)
      + (isLive ? cluster + [0xFF] + blocks : element(cluster, blocks))
      + element([0x12, 0x54, 0xC3, 0x67], Samples.secret) + more
    return header
      + (isLive
        ? [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7) + parts
        : element([0x18, 0x53, 0x80, 0x67], parts))
  }
}
