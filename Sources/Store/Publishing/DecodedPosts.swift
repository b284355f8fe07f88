internal import Publish
internal import Timeline

/// Posts to be published, each read from its JSON when a format first asks for it. Belongs to the queue that publishes.
final class DecodedPosts {
  private let lines: PostLines
  private let account: String
  private let unread: Int
  private var decoded: [Int: PublishedPost?] = [:]

  /// - Parameter unread: how many of them are unread: all that are newer than the one that is marked.
  init(_ lines: PostLines, of account: String, unread: Int) {
    self.lines = lines
    self.account = account
    self.unread = unread
  }

  var count: Int { lines.count }

  /// - Returns: `nil` for one that cannot be read.
  subscript(_ index: Int) -> PublishedPost? {
    if let known = decoded[index] { return known }
    let json = Array(lines[index])
    let post = (try? PostJSON.read(json)).map {
      PublishedPost(post: $0, json: json, account: account, isUnread: index < unread)
    }
    decoded[index] = .some(post)
    return post
  }

  /// All that can be read of these.
  func readable(_ range: Range<Int>) -> [PublishedPost] { range.compactMap { self[$0] } }
}
