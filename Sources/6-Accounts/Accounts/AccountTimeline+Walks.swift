internal import Providers
internal import Storage
internal import Time
internal import Timeline

/// Walks that find the marks, such as bookmarks, that the user has removed on the server.
extension AccountTimeline {
  /// Whether a walk is in progress. Its pages are requested like those that fill a gap, whenever the rate limit has requests to spare.
  package var isWalking: Bool { walk != nil }

  /// The maximum number of further pages of a walk that a user waits for; 0 if there is no walk. A walk that needs more is left to a service.
  var longestWalk: Int {
    guard let walk, let stored = try? countOfPosts() else { return 0 }
    return min(walk.pagesLeft(stored: stored, pageSize: traits.pageSize), MarkWalk.mostPages)
  }

  /// The request of the walk's next step; `nil` if there is no walk.
  var walkRequest: TimelinePlan.Request? {
    guard let walk else { return nil }
    let older: PageCursor? = if case .below(let cursor) = walk.step { cursor } else { nil }
    return TimelinePlan.Request(older: older, since: nil, count: traits.pageSize)
  }

  /// Takes a page below the newest one. A post that cannot be read may be any of the stored ones, so the walk then ends.
  func takeStep(_ fetched: PageResponse.Fetched) throws(StorageError) {
    guard fetched.skipped == 0 else { return abandonWalk() }
    let found = try store.database.storedIDs(of: fetched.page, in: name)
    walk?.take(fetched.page, isLast: fetched.isLast, found: found, stored: try countOfPosts())
  }

  /// Returns the result of the walk, which ends with the newest page; `nil` if the page does not join it. Call before the page is stored.
  func walked(upTo newest: PageResponse.Fetched?) throws(StorageError) -> WalkedMarks? {
    guard let newest, newest.skipped == 0, var walk,
      walk.note(newest: try store.database.storedIDs(of: newest.page, in: name))
    else { return nil }
    return walk.result
  }

  /// Records in the state when a walk has ended. The first one is due an interval after the first page.
  /// - Parameter hasEnded: whether the walk ends with the page.
  func noteWalk(hasEnded: Bool, in state: inout AccountState) {
    guard traits.order == .byMark, hasEnded || state[name].walkedAt == nil else { return }
    state[name].walkedAt = core.clock.now
  }

  /// Follows a newest page that was stored: the walk in progress continues, or a walk that is due begins.
  func followWalk(_ fetched: PageResponse.Fetched) throws(StorageError) {
    guard traits.order == .byMark else { return }
    let isDue = walk == nil && isWalkDue
    guard isDue || walk != nil else { return }
    let found = try store.database.storedIDs(of: fetched.page, in: name)
    if isDue {
      if hasMore || fetched.skipped > 0 { return }
      walk = MarkWalk(from: fetched.page, isLast: fetched.isLast, found: found, stored: try countOfPosts())
    } else if walk?.note(newest: found) == false {
      abandonWalk()
    }
  }

  /// Ends a walk that cannot be finished. Nothing is removed, and the next one begins after a pause.
  func abandonWalk() {
    walk = nil
    walkRestsUntil = core.clock.now + MarkWalk.pause
  }

  private var isWalkDue: Bool {
    let now = core.clock.now
    if let walkRestsUntil, now < walkRestsUntil, walkRestsUntil - now <= MarkWalk.pause { return false }
    // The clock may have been ahead when the last walk ended.
    return state.walkedAt.map { now - $0 >= MarkWalk.interval || $0 > now } ?? false
  }

  private func countOfPosts() throws(StorageError) -> Int {
    try store.database.countOfPosts(of: name, above: PostKey(""), upTo: Int.max)
  }
}
