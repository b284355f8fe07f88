internal import Time
package import Timeline

/// Finds the posts in a published file that a reader has not seen before.
///
/// A post is new if it is above the posts of the first reading and has not been shown, even if it fills a gap. Posts below the first
/// reading are not new; they appear when a timeline is extended downwards.
package struct FollowedTimeline: Sendable {
  /// The minimum number of ids to remember. At most twice as many are remembered.
  private static let memory = 20_000

  private let limit: Int
  /// The posts of the first reading; empty until there is a post.
  private var first: Set<PostID> = []
  private var shown: Set<PostID> = []
  private var shownBefore: Set<PostID> = []

  /// - Parameter limit: the maximum number of posts to show at the first reading.
  package init(limit: Int) { self.limit = limit }

  /// Whether a post has been read.
  var hasBegun: Bool { !first.isEmpty }

  /// Returns the indices of the posts to show now, oldest first.
  /// - Parameters:
  ///   - posts: all posts in the file, newest first.
  ///   - isIncluded: returns whether to show the post at this index at the first reading, for example because it is unread.
  package mutating func newPosts(in posts: [Post], initially isIncluded: (Int) -> Bool = { _ in true }) -> [Int] {
    guard hasBegun else {
      first = Set(posts.map(\.entryID))
      return posts.indices.lazy.filter(isIncluded).prefix(limit).reversed()
    }
    let floor = posts.firstIndex { first.contains($0.entryID) }
    let news = posts.indices.prefix(floor ?? posts.count).filter { !hasShown(posts[$0].entryID) }
    for index in news { remember(posts[index].entryID) }
    // If no post from the first reading is left (after a long time, or in a new file), the current posts become the first reading.
    if floor == nil, !posts.isEmpty { first = Set(posts.map(\.entryID)) }
    return news.reversed()
  }

  private func hasShown(_ id: PostID) -> Bool { shown.contains(id) || shownBefore.contains(id) }

  private mutating func remember(_ id: PostID) {
    if shown.count >= Self.memory {
      shownBefore = shown
      shown = []
    }
    shown.insert(id)
  }
}

extension TimelineHead {
  /// One line that reports since when, and why, the posts are old.
  package var stalenessLine: String {
    guard staleSince != nil || problem != nil else {
      let end = freshUntil.map { " since \($0.rfc3339)" } ?? ""
      return "\(name): these posts are old, an update has been overdue\(end): is the service running?"
    }
    let last = refreshedAt.map { "last refreshed at \($0.rfc3339)" } ?? "never refreshed"
    let reason = problem.map { SafeText.line(of: $0.message) } ?? "no refresh has succeeded since"
    return "\(name): these posts are old, \(last): \(reason)"
  }
}
