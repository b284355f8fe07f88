internal import Formats
internal import Platform
internal import Time
internal import Timeline

/// The content of published files.
struct PublishedContent {
  var head: TimelineHead
  let lines: PostLines
  let overview: Publication.Overview
  let madeAt: Timestamp
  private let posts: DecodedPosts

  /// Creates the content. Posts are decoded from their lines when a file needs them.
  init(_ head: TimelineHead, _ lines: PostLines, overview: Publication.Overview = .init(), madeAt: Timestamp) {
    self.head = head
    self.lines = lines
    self.overview = overview
    self.madeAt = madeAt
    posts = DecodedPosts(lines, of: head.account, unread: head.unread)
  }

  /// - Parameter publication: a publication with all posts.
  init(_ publication: Publication) {
    head = publication.head
    lines = PostLines(publication.posts.lazy.map(\.json))
    overview = publication.overview
    madeAt = publication.madeAt
    posts = DecodedPosts(publication.posts)
  }

  /// Returns a publication with the newest readable posts.
  func publication(newest count: Int) -> Publication {
    Publication(head: head, posts: posts.readable(0..<min(count, lines.count)), overview: overview, madeAt: madeAt)
  }
}

/// Posts to publish, each decoded from its JSON when a format first needs it. Belongs to the publishing queue.
final class DecodedPosts {
  private let lines: PostLines
  private let account: String
  private let unread: Int
  private var decoded: [Int: PublishedPost?] = [:]

  /// - Parameter unread: the number of unread posts, which are the newest ones.
  init(_ lines: PostLines, of account: String, unread: Int) {
    self.lines = lines
    self.account = account
    self.unread = unread
  }

  init(_ posts: [PublishedPost]) {
    lines = PostLines()
    account = ""
    unread = 0
    decoded = Dictionary(uniqueKeysWithValues: posts.enumerated().map { ($0, $1) })
  }

  /// The post at an index; `nil` if it cannot be decoded.
  private subscript(_ index: Int) -> PublishedPost? {
    if let known = decoded[index] { return known }
    let json = Array(lines[index])
    let post = (try? PostJSON.read(json)).map {
      PublishedPost(post: $0, json: json, account: account, isUnread: index < unread)
    }
    decoded[index] = .some(post)
    return post
  }

  /// Returns the readable posts in a range.
  func readable(_ range: Range<Int>) -> [PublishedPost] { range.compactMap { self[$0] } }
}
