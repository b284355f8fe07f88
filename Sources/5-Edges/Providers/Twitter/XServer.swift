/// X's own servers.
enum XServer {
  static let api = "https://api.x.com"
  /// The server where users authorise an application with OAuth 2.0.
  static let web = "https://x.com"

  /// Returns the server that a token from this origin is valid for. X's two host names belong to one server.
  static func identity(_ origin: String) -> String { origin == api ? "https://api.twitter.com" : origin }

  static func isOwn(_ host: String) -> Bool { ["api.twitter.com", "api.x.com"].contains(host) }
}
