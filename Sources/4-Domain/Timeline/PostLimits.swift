/// Limits on the parts of a post: far above what providers allow, but so low that each post is cheap to show. The text is unlimited.
enum PostLimits {
  /// The limit for a name or screen name, in Unicode scalars.
  static let name = 1_000
  /// The limit for alternative text, in Unicode scalars. Longer text is truncated and ends in `…`.
  static let alternativeText = 10_000
  /// The limit for an address, in bytes. A longer address is left out, because part of an address would lead elsewhere.
  static let address = 8_192
  /// The maximum number of pictures, videos and sounds in one post. Further media are left out.
  static let media = 100
  /// The maximum number of users who are named as having caused one event.
  static let actors = 100
  /// The limit for a server's text about an event, in Unicode scalars.
  static let noticeText = 10_000

  static func fits(_ text: String?, _ limit: Int) -> Bool { text.map { $0.utf8.count <= limit } ?? true }

  static func cut(_ text: String, to limit: Int) -> String {
    // A scalar has at least one byte, so counting the bytes is enough for most text.
    guard text.utf8.count > limit, text.unicodeScalars.dropFirst(limit).first != nil else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
  }

  static func checked(_ address: String?) -> String? { address.flatMap { $0.utf8.count > Self.address ? nil : $0 } }
}
