internal import CivilTime
internal import Glibc
internal import Platform
internal import Publish
internal import Timeline

/// What the files beside `home_timeline.json` are made of. Posts are read from their JSON as far as a file needs it.
struct PublishedContent {
  let head: TimelineHead
  private let lines: PostLines
  /// `nil` where the publication has all.
  private let posts: DecodedPosts?
  /// The newest posts, as many as a page shows, with what is said around them.
  let publication: Publication

  /// - Parameter isShown: whether a page or a bar is wished.
  init(
    _ head: TimelineHead, _ lines: PostLines, overview: Publication.Overview, isShown: Bool, madeAt now: Timestamp
  ) {
    self.head = head
    self.lines = lines
    let posts = DecodedPosts(lines, of: head.account, unread: head.unread)
    self.posts = posts
    publication = Publication(
      head: head, posts: isShown ? posts.readable(0..<min(lines.count, Publication.postsOfPage)) : [],
      overview: overview, madeAt: now)
  }

  /// - Parameter publication: with all posts.
  init(_ publication: Publication, _ lines: PostLines) {
    head = publication.head
    self.lines = lines
    posts = nil
    self.publication = publication
  }

  /// With all posts that can be read.
  var readable: Publication {
    guard let posts else { return publication }
    var all = publication
    all.posts = posts.readable(0..<posts.count)
    return all
  }

  /// A file with an entry for each post; `nil` where a post cannot be read.
  func bytes(as format: PublishedFormat) -> [UInt8]? {
    if format == .jsonLines { return lines.separate }
    let all = readable
    return all.posts.count == lines.count ? all.bytes(as: format) : nil
  }

  /// The same, with what stays of it as it was.
  /// - Returns: `nil` where that is not possible.
  func bytes(as format: PublishedFormat, behind before: [UInt8], of former: FormerFiles) -> [UInt8]? {
    guard let posts else { return nil }
    let count = lines.count - former.staying.count
    let fresh = posts.readable(0..<count)
    guard fresh.count == count else { return nil }
    return EntryFile.bytes(
      as: format, head, fresh: fresh, before: former.staying, of: before, counting: former.count)
  }
}

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

/// What stands in a folder as it was published last, and what of it stays.
struct FormerFiles {
  /// The files as they were written, with an entry for each post.
  let files: [PublishedFormat: FileFacts]
  /// How many entries each has.
  let count: Int
  /// Which of them stay.
  let staying: Range<Int>
  /// Whether the posts are the same, each of them, and whose they are.
  let areSame: Bool
}
