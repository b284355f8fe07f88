internal import Formats
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Reads the posts of a view page by page, in the order of their times. The archives are read to their ends, not only what the view publishes.
struct ViewPages {
  let view: ViewSettings
  let conditions: PostConditions
  /// Where the page begins; `nil` for the beginning.
  let place: SharedPlace?
  /// The posts that earlier pages have left out.
  let folded: FoldedPosts
  /// The address of the view with its conditions.
  let address: WebAddress

  /// The maximum number of additional posts on a page. They keep posts of the same time together, so that a post in two timelines of an
  /// account is on one page only.
  private static let overlength = 50
  /// The number of posts below a page that are looked at for copies of its posts. People publish the same text everywhere within minutes. If all
  /// posts are by people with posts in several accounts, 100 more take 4 ms.
  static let lookahead = 100

  /// - Parameter archives: the archives by account. An account without one has no posts.
  func page(of archives: [AccountName: any TimelineReading]) throws(StorageError) -> PostPage {
    // A post can be read as a bookmark and unread at home.
    var merged = try MergedPosts(
      of: view.timelines, in: archives, from: place, size: PostPage.size, isOnce: !conditions.onlyUnread)
    var selection = Selection(view.filter, conditions, isShared: merged.areShared)
    var page = PostPage()
    var left = PostPage.furthest
    var last: SharedPlace?
    var next: SharedPlace?
    while let time = try merged.nextTime() {
      let excess = max(page.posts.count - PostPage.size, -left)
      if excess >= 0, let last, last.time != time || excess >= Self.overlength {
        next = last
        page.hasEndedEarly = page.posts.count < PostPage.size
        break
      }
      guard let item = try merged.next() else { break }
      last = item.place
      left -= 1
      page.reached = item.place.time
      guard let post = item.post, selection.includes(post), !folded.contains(post) else { continue }
      page.append(post, of: item.timeline)
    }
    if view.foldsCrossPosts, merged.accounts.count > 1 {
      let below = try next == nil ? Below() : below(page, &merged, &selection)
      fold(&page, below, next)
    } else {
      page.older = next.map { $0.added(to: address) }
    }
    return page
  }

  /// Which posts the view shows, apart from those that are folded.
  private struct Selection {
    private let filters: [CompiledFilter]
    private let onlyUnread: Bool
    private let isShared: Bool
    private var seen: Set<String> = []

    /// - Parameter isShared: whether several timelines of an account can contain the same post or the same event.
    init(_ filter: PostFilter, _ conditions: PostConditions, isShared: Bool) {
      filters = [CompiledFilter(filter), CompiledFilter(conditions.filter)]
      (onlyUnread, self.isShared) = (conditions.onlyUnread, isShared)
    }

    mutating func includes(_ post: PublishedPost) -> Bool {
      if onlyUnread, !post.isUnread { return false }
      let kind = post.post.notice == nil ? "post" : "event"
      guard !isShared || seen.insert("\(post.account) \(kind) \(post.post.entryID)").inserted else { return false }
      return filters.allSatisfy { $0.includes(post.post) }
    }
  }

  // MARK: Cross-posts

  /// The posts of the view below a page.
  private struct Below {
    var posts: [PublishedPost] = []
    /// Those that earlier pages have left out.
    var folded = FoldedPosts()
    /// Whether these are all.
    var isComplete = false
  }

  /// Reads the posts below a page, as far as they can be copies of the page's posts.
  private func below(
    _ page: PostPage, _ merged: inout MergedPosts, _ selection: inout Selection
  ) throws(StorageError) -> Below {
    var below = Below()
    guard let earliest = page.reached, !page.posts.isEmpty || !folded.isEmpty else { return below }
    for _ in 0..<Self.lookahead {
      guard let time = try merged.nextTime() else {
        below.isComplete = true
        break
      }
      guard time >= earliest - CrossPosts.reach, let item = try merged.next() else { break }
      guard let post = item.post, selection.includes(post) else { continue }
      if folded.contains(post) { below.folded.insert(post) } else { below.posts.append(post) }
    }
    return below
  }

  /// Removes the posts of a page that repeat others, and lets the next page leave out those below that repeat posts of this one.
  private func fold(_ page: inout PostPage, _ below: Below, _ next: SharedPlace?) {
    let (posts, count) = (page.posts + below.posts, page.posts.count)
    let all = CrossPosts.folded(posts.map { ($0.account, $0.post) })
    let remaining = all.prefix { $0.index < count }
    page.posts = remaining.map { remaining in
      var post = posts[remaining.index]
      post.alsoAt = remaining.alsoAt
      return post
    }
    var folded = below.folded
    for copy in remaining.flatMap(\.copies) where copy >= count { folded.insert(posts[copy]) }
    // Without this, the last page might be empty.
    if below.isComplete, remaining.count == all.count { return }
    page.older = next.map { folded.added(to: $0.added(to: address)) }
  }
}
