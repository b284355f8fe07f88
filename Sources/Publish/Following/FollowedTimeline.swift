package import CivilTime
package import Timeline

/// Which posts of a published file are new to somebody who has seen the file before.
///
/// New is what stands above the posts that were there at the beginning and was not shown yet: also what fills a gap among the new
/// ones. What is found below, as old posts are when a timeline is filled downwards, is not.
package struct FollowedTimeline: Sendable {
  /// Ids that are remembered at least; twice as many at most.
  private static let memory = 20_000

  private let limit: Int
  /// The posts that were there at the beginning; empty until there is a post.
  private var first: Set<PostID> = []
  private var shown: Set<PostID> = []
  private var shownBefore: Set<PostID> = []

  /// - Parameter limit: how many posts are shown of those that are there at the beginning.
  package init(limit: Int) { self.limit = limit }

  /// Whether there has been a post.
  package var hasBegun: Bool { !first.isEmpty }

  /// The places in `posts` of those to show now, oldest first.
  /// - Parameters:
  ///   - posts: those of the whole file, newest first.
  ///   - isWorthIt: whether the post at a place is to be shown at the beginning, such as an unread one.
  package mutating func news(in posts: [Post], atFirst isWorthIt: (Int) -> Bool = { _ in true }) -> [Int] {
    guard hasBegun else {
      first = Set(posts.map(\.id))
      return posts.indices.lazy.filter(isWorthIt).prefix(limit).reversed()
    }
    let floor = posts.firstIndex { first.contains($0.id) }
    let news = posts.indices.prefix(floor ?? posts.count).filter { !hasShown(posts[$0].id) }
    for index in news { remember(posts[index].id) }
    // None of them is left after a long time, or in a file that was begun anew: what is there now is the new beginning.
    if floor == nil, !posts.isEmpty { first = Set(posts.map(\.id)) }
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

/// Tells once when a timeline grows stale, and once when that is over.
package struct StalenessChange: Sendable {
  private var isStale = false

  package init() {}

  /// - Returns: a line for people, when there is news.
  package mutating func line(about head: TimelineHead, at now: Timestamp) -> String? {
    let wasStale = isStale
    isStale = head.isStale(at: now)
    if isStale { return wasStale ? nil : head.stalenessLine }
    return wasStale ? "\(head.account): up to date again" : nil
  }
}

extension TimelineHead {
  /// That the posts are old, since when and why, in a line.
  package var stalenessLine: String {
    guard staleSince != nil || problem != nil else {
      let end = freshUntil.map { " since \($0.rfc3339)" } ?? ""
      return "\(account): these posts are old, a new file has been overdue\(end): is the service running?"
    }
    let last = refreshedAt.map { "last refreshed at \($0.rfc3339)" } ?? "never refreshed"
    let reason = problem.map { SafeText.line(of: $0.message) } ?? "no refresh has succeeded since"
    return "\(account): these posts are old, \(last): \(reason)"
  }
}
