package import CivilTime

/// A home timeline that is a function of a seed and the time: what post `i` says depends on the seed and on `i` only, and a page
/// costs what its posts cost, however long the timeline is.
package struct SandboxTimeline: Sendable {
  struct Query: Sendable {
    /// How many posts are looked at; filters come after it.
    var count = 20
    /// Only newer ones than this.
    var sinceID: UInt64?
    /// Only this one and older ones.
    var maxID: UInt64?
    var excludesReplies = false
    /// How far back the API reaches, in posts.
    var reach = 800
  }

  let calendar: PostCalendar
  let factory: PostFactory

  /// - Parameters:
  ///   - seed: another one is another timeline.
  ///   - start: of its first post, for who wants certain posts at a certain time; else the calendars' epoch, that of 2020.
  package init(seed: UInt64 = 1, start: Timestamp? = nil) {
    calendar = PostCalendar(seed: seed, start: start ?? PostCalendar.epoch)
    factory = PostFactory(seed: seed, calendar: calendar)
  }

  /// The posts of a page, newest first.
  func page(_ query: Query, at time: Timestamp, late: LatePosts? = nil) -> [SandboxPost] {
    guard let newest = calendar.newestIndex(at: time) else { return [] }
    var first = newest
    if let maxID = query.maxID {
      guard let limit = calendar.newestIndex(withIDAtMost: maxID) else { return [] }
      first = min(first, limit)
    }
    // A `since_id` below the reach is moved up to it without a word, as the real API does.
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

  /// The post of an id: one of the timeline, or one that a post of it reposts or quotes.
  /// - Returns: nil where there is none yet.
  func post(_ id: UInt64, at time: Timestamp) -> SandboxPost? {
    guard let newest = calendar.newestIndex(at: time) else { return nil }
    let before = calendar.newestIndex(withIDAtMost: id)
    if let before, before <= newest, calendar.id(of: before) == id { return factory.post(before) }
    // Who reposts or quotes it does so within two days: see `PostFactory.older`.
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
