internal import Formats
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The posts of several timelines in the order of their times, latest first. They are read in portions.
struct MergedPosts {
  /// A post and where it is; its content is `nil` if it cannot be read.
  struct Item {
    let place: SharedPlace
    let timeline: TimelineKey
    let post: PublishedPost?
  }

  private var sources: [Source] = []

  /// - Parameters:
  ///   - archives: the archives by account. An account without one has no posts.
  ///   - place: where the posts begin; `nil` for the beginning.
  ///   - size: the number of posts that are probably read.
  ///   - isOnce: whether a bookmarked or liked post is left out of the account's other timelines. Its time there is another one, so that it would be
  ///     on two pages.
  init(
    of timelines: [TimelineKey], in archives: [AccountName: any TimelineReading], from place: SharedPlace?, size: Int,
    isOnce: Bool
  ) throws(StorageError) {
    for key in timelines {
      guard let archive = archives[key.account] else { continue }
      let others = isOnce ? Self.marks(besides: key).filter { timelines.contains($0) }.map(\.timeline) : []
      sources.append(
        try Source(key, archive, from: place, portion: max(8, size / timelines.count), without: others))
    }
  }

  /// Returns the timelines of marks whose posts another timeline of the account leaves out.
  private static func marks(besides key: TimelineKey) -> [TimelineKey] {
    let marks: [TimelineName] =
      switch key.timeline.kind {
      case .home, .list, .tag, .user: [.bookmarks, .likes]
      case .likes: [.bookmarks]
      // The ids of events are not those of posts.
      case .bookmarks, .notifications, .mentions: []
      }
    return marks.map { TimelineKey(account: key.account, timeline: $0) }
  }

  /// The accounts that have an archive.
  var accounts: Set<AccountName> { Set(sources.map(\.key.account)) }
  /// Whether several timelines are of the same account, so that they can contain the same post.
  var areShared: Bool { accounts.count < sources.count }

  /// Returns the time of the next post; `nil` if there are no more.
  mutating func nextTime() throws(StorageError) -> Timestamp? {
    for index in sources.indices { try sources[index].fill() }
    return latest.flatMap { sources[$0].next?.time }
  }

  /// Returns the next post; `nil` if there are no more.
  mutating func next() throws(StorageError) -> Item? {
    for index in sources.indices { try sources[index].fill() }
    return latest.flatMap { sources[$0].take() }
  }

  private var latest: Int? {
    sources.indices.filter { sources[$0].next != nil }.max { one, other in
      guard let first = sources[one].next, let second = sources[other].next else { return false }
      return SharedPlace.isLater(second, of: sources[other].name, than: first, of: sources[one].name)
    }
  }

  /// One of the timelines.
  private struct Source {
    let key: TimelineKey
    let name: String
    private let archive: any TimelineReading
    private let mark: PostPosition?
    private let portion: Int
    private let others: [TimelineName]
    private var moment: PostMoment?
    private var waiting: ArraySlice<TimedPost> = []
    private var isEmpty = false

    init(
      _ key: TimelineKey, _ archive: any TimelineReading, from place: SharedPlace?, portion: Int,
      without others: [TimelineName]
    ) throws(StorageError) {
      (self.key, self.archive, self.portion, self.others) = (key, archive, portion, others)
      name = key.description
      mark = try archive.state()[key.timeline].readUpTo
      moment = place?.moment(for: name)
    }

    var next: TimedPost? { waiting.first }

    mutating func fill() throws(StorageError) {
      while waiting.isEmpty, !isEmpty {
        let posts = try archive.posts(of: key.timeline, before: moment, atMost: portion)
        isEmpty = posts.count < portion
        moment = posts.last?.moment ?? moment
        waiting = posts[...]
        for other in others where !waiting.isEmpty {
          let left = try archive.ids(Set(waiting.map(\.post.mark.id)), in: other)
          if !left.isEmpty { waiting.removeAll { left.contains($0.post.mark.id) } }
        }
      }
    }

    mutating func take() -> Item? {
      guard let timed = waiting.popFirst() else { return nil }
      let post = try? PostJSON.read(timed.post.json)
      return Item(
        place: SharedPlace(timed, of: name), timeline: key,
        post: post.map {
          PublishedPost(
            post: $0, json: timed.post.json, account: key.account.text,
            isUnread: mark.map { $0 < timed.post.mark } ?? true)
        }
      )
    }
  }
}
