internal import Time

/// All posts on a simulated server, and the timelines that contain them. The same post can be in several timelines.
struct SandboxNetwork: Sendable {
  let timeline: SandboxTimeline
  let history: SandboxHistory
  private let outside: SandboxTimeline
  private var events: SandboxEvents

  init(_ timeline: SandboxTimeline) {
    self.timeline = timeline
    outside = timeline.outside
    history = SandboxHistory(timeline)
    events = SandboxEvents(timeline, ownPosts: history.ownPosts)
  }

  func post(_ entry: SandboxEntry) -> SandboxPost {
    switch entry {
    case .home(let index, _): timeline.factory.post(index)
    case .outside(let index, _): outside.factory.post(index)
    case .post(let post): post
    }
  }

  // MARK: Timelines, newest post first

  /// - Parameter reach: the number of newest posts of the home timeline to select from.
  func home(at time: Timestamp, reach: Int) -> [SandboxEntry] {
    entries(of: timeline, at: time, reach: reach) { _ in true }.map { .home($0, id: timeline.calendar.id(of: $0)) }
  }

  /// Returns the posts of a list's members.
  func posts(in list: SandboxList, at time: Timestamp, reach: Int) -> [SandboxEntry] {
    posts(at: time, reach: reach, by: list.contains).filter { entry in
      // Everybody in the timelines is followed, so without a condition on replies, no post has to be generated.
      list.replies == .followed || list.shows(post(entry))
    }
  }

  /// Returns an author's posts. Those by the user are from before the timeline began.
  func posts(by author: Author, at time: Timestamp, reach: Int) -> [SandboxEntry] {
    author.id == Author.mira.id
      ? history.ownPosts.reversed().map { .post($0) } : posts(at: time, reach: reach) { $0.id == author.id }
  }

  /// Returns the posts with a hashtag, case-insensitively. Reposts are not included.
  func posts(tagged tag: String, at time: Timestamp, reach: Int) -> [SandboxEntry] {
    let tag = tag.lowercased()
    let authors = Set(Author.everyone.filter { $0.uses(tag: tag) }.map(\.id))
    return posts(at: time, reach: reach) { authors.contains($0.id) }.filter { post($0).hasTag(tag) }
  }

  /// Computes the events since the last call, so that `events(at:)` is fast.
  mutating func updateEvents(at time: Timestamp) { events.update(at: time) }

  /// Returns the events that notify the user, newest first.
  func events(at time: Timestamp) -> [SandboxEvent] { events.events(at: time) }

  /// Returns the posts that are known to the server but are not in the home timeline.
  func others(at time: Timestamp, reach: Int) -> [SandboxEntry] {
    entries(of: outside, at: time, reach: reach) { _ in true }.map { .outside($0, id: outside.calendar.id(of: $0)) }
      + (events(at: time).compactMap(\.post) + history.ownPosts).map { .post($0) }
      + (history.bookmarks + history.favourites).map { .post($0.post) }
  }

  /// Returns a post by its number, whether it is in the home timeline or not.
  func post(_ id: UInt64, at time: Timestamp) -> SandboxPost? {
    timeline.post(id, at: time) ?? others(at: time, reach: 800).first { $0.id == id }.map { post($0) }
  }

  private func posts(at time: Timestamp, reach: Int, by isWanted: (Author) -> Bool) -> [SandboxEntry] {
    let home = entries(of: timeline, at: time, reach: reach) { isWanted(timeline.factory.author(of: $0)) }
      .map { SandboxEntry.home($0, id: timeline.calendar.id(of: $0)) }
    guard (Author.exclusive + Author.strangers).contains(where: isWanted) else { return home }
    let others = entries(of: outside, at: time, reach: reach) { isWanted(outside.factory.author(of: $0)) }
      .map { SandboxEntry.outside($0, id: outside.calendar.id(of: $0)) }
    return home.isEmpty ? others : (home + others).sorted { $0.id > $1.id }
  }

  private func entries(
    of timeline: SandboxTimeline, at time: Timestamp, reach: Int, where isWanted: (Int) -> Bool
  ) -> [Int] {
    guard let newest = timeline.calendar.newestIndex(at: time) else { return [] }
    return (max(0, newest - min(reach, newest + 1) + 1)...newest).reversed().filter(isWanted)
  }
}

extension SandboxPost {
  /// - Parameter tag: the hashtag in lower case, without its `#`.
  func hasTag(_ tag: String) -> Bool {
    !isRepost && pieces.contains { if case .hashtag(let word) = $0 { word.lowercased() == tag } else { false } }
  }
}
