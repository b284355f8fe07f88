internal import Formats
internal import Settings
internal import Time
internal import Timeline

/// One page of a list of posts.
struct PostPage {
  /// The number of posts on a page.
  static let size = 50
  /// The number of posts that are looked at for a page. Conditions may leave out nearly all of them.
  static let furthest = 2_000

  /// The posts, newest first.
  var posts: [PublishedPost] = []
  /// The timeline of each post that is in another one than its account's home timeline, by the name of its element.
  private var timelines: [String: TimelineKey] = [:]
  /// The gaps, each below a post of the page.
  var gaps: [PublishedGap] = []
  /// The address of the next older page; `nil` at the end of the archive.
  var older: WebAddress?
  /// Whether the page has ended early, because ``furthest`` posts were looked at.
  var hasEndedEarly = false
  /// The time of the earliest post that was looked at; `nil` if there is none.
  var reached: Timestamp?
  /// Whether the post above the page's first one is unread, and the first one is read.
  var beginsAtReadMark = false

  /// Adds a post of one of several timelines.
  mutating func append(_ post: PublishedPost, of timeline: TimelineKey) {
    posts.append(post)
    if timeline.timeline != .home { timelines[PageAnchor.name(of: post)] = timeline }
  }

  /// Returns the timeline that a post of a list of several timelines is from.
  func timeline(of post: PublishedPost) -> TimelineKey? {
    timelines[PageAnchor.name(of: post)] ?? AccountName(post.account).map { .home(of: $0) }
  }
}
