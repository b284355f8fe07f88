import Time
import Timeline

@testable import Formats

/// Pages for tests, and functions that examine them.
enum PageSamples {
  static let now = Samples.time + .seconds(600)

  static func page(
    _ posts: [PublishedPost] = [], overview: Publication.Overview = .init(), pictures: [String: String] = [:],
    head: (inout TimelineHead) -> Void = { _ in }
  ) -> String {
    var it = TimelineHead(account: "demo", provider: "sandbox")
    head(&it)
    return String(
      decoding: PublishedFormat.html.bytes(
        of: Publication(head: it, posts: posts, overview: overview, pictures: pictures, madeAt: now)), as: UTF8.self)
  }

  static func item(
    _ id: String, by author: User = Samples.mira, _ text: String = "text", isUnread: Bool = false,
    alsoAt: [String] = [],
    change: (inout Post) -> Void = { _ in }
  ) -> PublishedPost {
    var post = Post(id: PostID(id), createdAt: Samples.time, author: author, text: text)
    change(&post)
    return PublishedPost(post: post, json: [], account: "demo", isUnread: isUnread, alsoAt: alsoAt)
  }

  /// Returns the text between the first `start` and the next `end`.
  static func part(of html: String, from start: String, to end: String) -> String? {
    guard let first = html.firstRange(of: start),
      let last = html[first.upperBound...].firstRange(of: end)
    else { return nil }
    return String(html[first.upperBound..<last.lowerBound])
  }

  /// Counts the occurrences of a string.
  static func count(_ text: String, in html: String) -> Int { html.ranges(of: text).count }
}
