/// A known answer that is the server's own, although it is not in the API's format.
///
/// Each row has a recorded answer. To add a habit, add a row to one of the tables below.
package struct ServerHabit: Sendable, Hashable {
  package enum Meaning: String, Sendable, Hashable, CaseIterable {
    /// The post that was asked for does not exist.
    case noSuchPost = "the post does not exist"
    /// The application has sent too many requests.
    case limit = "wait for an hour"
    /// The token is unknown.
    case unknownToken = "log in again"
  }

  /// The form of a body.
  enum Body: Sendable, Hashable {
    case empty
    /// A text that begins and ends like this.
    case text(from: String, to: String)
  }

  let software: String
  let status: Int
  let body: Body
  package let meaning: Meaning
  /// A body as the server sent it.
  let recorded: String

  func matches(_ response: ProviderResponse) -> Bool {
    guard response.status == status else { return false }
    switch body {
    case .empty: return response.body.isEmpty
    case .text(let start, let end):
      guard response.body.count < 256 else { return false }
      let text = String(decoding: response.body, as: UTF8.self)
      return text.hasPrefix(start) && text.hasSuffix(end)
    }
  }

  /// Servers with Mastodon's API.
  static let mastodon = [
    ServerHabit(
      software: "snac", status: 404, body: .text(from: "<h1>404 Not Found (snac/", to: ")</h1>"), meaning: .noSuchPost,
      recorded: "<h1>404 Not Found (snac/2.94)</h1>"),
    ServerHabit(software: "snac", status: 422, body: .empty, meaning: .unknownToken, recorded: ""),
  ]

  /// Weibo.
  static let weibo = [ServerHabit(software: "Weibo", status: 200, body: .empty, meaning: .limit, recorded: "")]
}
