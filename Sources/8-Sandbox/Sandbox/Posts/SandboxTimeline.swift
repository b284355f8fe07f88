package import Time

/// A home timeline computed from a seed and the time. Post `i` depends only on the seed and `i`, so the cost of a page does not depend
/// on the length of the timeline.
package struct SandboxTimeline: Sendable {
  struct Query: Sendable {
    /// The number of posts selected before they are filtered.
    var count = 20
    /// Only posts above this post are returned; `nil` for no limit.
    var sinceID: UInt64?
    /// The newest post that may be returned; `nil` for no limit.
    var maxID: UInt64?
    var excludesReplies = false
    /// The number of newest posts within reach of the API.
    var reach = 800
  }

  let seed: UInt64
  let calendar: PostCalendar
  let factory: PostFactory

  /// - Parameters:
  ///   - seed: each seed has its own timeline.
  ///   - start: the time of the first post; by default, the start of 2020.
  package init(seed: UInt64 = 1, start: Timestamp? = nil) {
    self.init(seed: seed, start: start ?? PostCalendar.epoch, writers: Author.writers)
  }

  private init(seed: UInt64, start: Timestamp, writers: [Author]) {
    self.seed = seed
    calendar = PostCalendar(seed: seed, start: start)
    factory = PostFactory(seed: seed, calendar: calendar, writers: writers)
  }

  /// The posts by authors whose posts are not in the home timeline, as a timeline with its own posts and ids.
  var outside: SandboxTimeline {
    SandboxTimeline(seed: seed &+ 1_000_003, start: calendar.start, writers: Author.exclusive + Author.strangers)
  }

  /// Returns the posts on a page, newest first.
  func page(_ query: Query, at time: Timestamp, late: LatePosts? = nil) -> [SandboxPost] {
    guard let newest = calendar.newestIndex(at: time) else { return [] }
    var first = newest
    if let maxID = query.maxID {
      guard let limit = calendar.newestIndex(withIDAtMost: maxID) else { return [] }
      first = min(first, limit)
    }
    // As in the real API, a `since_id` below the reach is not an error.
    var last = max(0, newest - min(query.reach, newest + 1) + 1)
    if let sinceID = query.sinceID, let known = calendar.newestIndex(withIDAtMost: sinceID) {
      last = max(last, known + 1)
    }
    guard first >= last else { return [] }
    return (last...first).reversed().lazy
      .filter { isVisible($0, at: time, late) }
      .prefix(query.count)
      .map { factory.post($0) }
      .filter { !query.excludesReplies || $0.reply == nil }
  }

  /// Returns the post with an id: a post in the timeline, or one that is reposted or quoted there.
  /// - Returns: `nil` if no post has this id yet.
  func post(_ id: UInt64, at time: Timestamp) -> SandboxPost? {
    guard let newest = calendar.newestIndex(at: time) else { return nil }
    let before = calendar.newestIndex(withIDAtMost: id)
    if let before, before <= newest, calendar.id(of: before) == id { return factory.post(before) }
    // Reposts and quotes follow within two days: see `PostFactory.older`.
    let last = calendar.newestIndex(at: PostCalendar.moment(ofID: id) + .seconds(2 * 86_400 + 60))
    let first = before ?? 0
    guard let last = last.map({ min($0, newest) }), first <= last else { return nil }
    for index in first...last {
      switch factory.post(index).companion {
      case .reposted(let other) where other.id == id: return other
      case .quoted(let other, _) where other.id == id: return other
      default: continue
      }
    }
    return nil
  }

  private func isVisible(_ index: Int, at time: Timestamp, _ late: LatePosts?) -> Bool {
    guard let late, index % late.every == 0 else { return true }
    return calendar.moment(of: index) + late.by <= time
  }
}

extension SandboxTimeline {
  /// The number of newest posts within reach of the v2 API. In this timeline, they are never older than X's other limit of seven days.
  private static let reachOfVersions = 3_200

  /// Returns the posts between two ids (exclusive), newest id first.
  /// - Returns: at most `count` versions, and whether there are more.
  func versions(
    since: UInt64?, until: UInt64?, count: Int, at time: Timestamp, edits: PostEdits?
  ) -> (versions: [PostVersion], hasMore: Bool) {
    guard let newest = calendar.newestIndex(at: time), until != 0 else { return ([], false) }
    var first = newest
    if let until {
      guard let limit = calendar.newestIndex(withIDAtMost: until - 1) else { return ([], false) }
      first = min(first, limit)
    }
    // An edited version has a greater id than its original, so posts a little further down may belong to the page.
    let slack = edits.map { Int($0.after / .milliseconds(PostCalendar.slot)) + 2 } ?? 0
    var last = max(0, newest - Self.reachOfVersions + 1)
    if let since, let known = calendar.newestIndex(withIDAtMost: since) { last = max(last, known + 1 - slack) }
    guard first >= last else { return ([], false) }
    var found: [(id: UInt64, index: Int)] = []
    for index in (last...first).reversed() {
      let id = id(of: index, at: time, edits)
      if id > since ?? 0, id < until ?? .max { found.append((id, index)) }
      if found.count > count + slack { break }
    }
    found.sort { $0.id > $1.id }
    let versions = found.prefix(count).map { PostVersion(id: $0.id, post: factory.post($0.index)) }
    return (Array(versions), found.count > count)
  }

  /// Returns the original of the post with this id, if it is in the timeline.
  func post(withID id: UInt64) -> SandboxPost? {
    guard let index = calendar.newestIndex(withIDAtMost: id), calendar.id(of: index) == id else { return nil }
    return factory.post(index)
  }

  /// Returns the id of a post on the timeline at a given time. Reposts are never edited, because they have no text.
  private func id(of index: Int, at time: Timestamp, _ edits: PostEdits?) -> UInt64 {
    let id = calendar.id(of: index)
    guard let edits, index % edits.every == 0 else { return id }
    let moment = calendar.moment(of: index) + edits.after
    guard moment <= time else { return id }
    if case .reposted = factory.post(index).companion { return id }
    return PostCalendar.id(at: moment, Int(id & 0x3f_ffff))
  }
}
