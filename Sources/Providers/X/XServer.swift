internal import HomelineOAuth

/// X's own servers.
enum XServer {
  static let api = "https://api.x.com"
  /// Where users press the button of OAuth 2.0.
  static let web = "https://x.com"

  /// Which server a token of this origin is good for. X's two names are one server.
  static func identity(_ origin: String) -> String { origin == api ? "https://api.twitter.com" : origin }

  static func isOwn(_ host: String) -> Bool { ["api.twitter.com", "api.x.com"].contains(host) }
}
