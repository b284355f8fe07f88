internal import CivilTime
internal import Platform
internal import Publish
internal import Timeline

/// What published files are made of.
struct PublishedContent {
  var head: TimelineHead
  let lines: PostLines
  let overview: Publication.Overview
  let madeAt: Timestamp
  private let posts: DecodedPosts

  /// Posts are read from their lines as far as a file needs it.
  package init(_ head: TimelineHead, _ lines: PostLines, overview: Publication.Overview = .init(), madeAt: Timestamp) {
    self.head = head
    self.lines = lines
    self.overview = overview
    self.madeAt = madeAt
    posts = DecodedPosts(lines, of: head.account, unread: head.unread)
  }

  /// - Parameter publication: with all posts.
  package init(_ publication: Publication) {
    head = publication.head
    lines = PostLines(publication.posts.lazy.map(\.json))
    overview = publication.overview
    madeAt = publication.madeAt
    posts = DecodedPosts(publication.posts)
  }

  /// The newest posts that can be read, with what is said around them.
  func publication(newest count: Int) -> Publication {
    Publication(head: head, posts: posts.readable(0..<min(count, lines.count)), overview: overview, madeAt: madeAt)
  }
}

/// Posts to be published, each read from its JSON when a format first asks for it. Belongs to the queue that publishes.
final class DecodedPosts {
  private let lines: PostLines
  private let account: String
  private let unread: Int
  private var decoded: [Int: PublishedPost?] = [:]

  /// - Parameter unread: how many of them are unread: all that are newer than the one that is marked.
  package init(_ lines: PostLines, of account: String, unread: Int) {
    self.lines = lines
    self.account = account
    self.unread = unread
  }

  package init(_ posts: [PublishedPost]) {
    lines = PostLines()
    account = ""
    unread = 0
    decoded = Dictionary(uniqueKeysWithValues: posts.enumerated().map { ($0, $1) })
  }

  /// - Returns: `nil` for one that cannot be read.
  private subscript(_ index: Int) -> PublishedPost? {
    if let known = decoded[index] { return known }
    let json = Array(lines[index])
    let post = (try? PostJSON.read(json)).map {
      PublishedPost(post: $0, json: json, account: account, isUnread: index < unread)
    }
    decoded[index] = .some(post)
    return post
  }

  /// Those of them that can be read.
  func readable(_ range: Range<Int>) -> [PublishedPost] { range.compactMap { self[$0] } }
}
