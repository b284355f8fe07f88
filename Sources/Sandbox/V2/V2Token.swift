/// A `pagination_token`: opaque to clients, and the id below which the page goes on.
enum V2Token {
  private static let mark = "7140"

  static func text(_ id: UInt64) -> String { mark + String(id, radix: 36) }

  static func limit(_ token: String) -> UInt64? {
    guard token.hasPrefix(mark) else { return nil }
    return UInt64(token.dropFirst(mark.count), radix: 36)
  }
}
