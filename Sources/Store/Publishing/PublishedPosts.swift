internal import Platform
internal import Timeline

/// What was published of a database last, and which of its posts have changed since: as long as that is known, the next files take
/// from these what has stayed.
///
/// It is kept in memory alone. Whoever begins anew, or meets a file that somebody has touched, writes it whole.
struct PublishedPosts {
  /// Where it was published, and how many posts at most.
  let folder: String
  let keepPosts: Int
  /// How many posts were published.
  let count: Int
  /// The oldest of them where there may be others below.
  let bottom: PostKey?
  /// Up to where they were read, and whose they were.
  let readUpTo: PostMark?
  let unread: Int
  let owner: User?
  /// `home_timeline.json` as it was written, and where its posts begin.
  let timeline: FileFacts
  let start: Int
  /// The other files as they were written, where each post had its entry.
  let files: [PublishedFormat: FileFacts]

  /// The lowest place that has changed since; `nil` where none has.
  private(set) var lowest: PostKey?
  /// How many posts there are more since, from there on.
  private var added = 0
  /// How many of the oldest have gone.
  private var ended = 0
  /// The highest of them.
  private var highestEnd: PostKey?

  init(
    folder: String, keepPosts: Int, count: Int, bottom: PostKey?, readUpTo: PostMark?, unread: Int, owner: User?,
    timeline: FileFacts, start: Int, files: [PublishedFormat: FileFacts]
  ) {
    self.folder = folder
    self.keepPosts = keepPosts
    self.count = count
    self.bottom = bottom
    self.readUpTo = readUpTo
    self.unread = unread
    self.owner = owner
    self.timeline = timeline
    self.start = start
    self.files = files
  }

  mutating func note(_ changes: PostChanges) {
    for place in changes.places where isPublished(place.key) {
      lowest = min(lowest ?? place.key, place.key)
      added += place.added
    }
    for key in changes.ends where isPublished(key) {
      highestEnd = max(highestEnd ?? key, key)
      ended += 1
    }
  }

  /// What lies below the last one that is published, where there is no room for more, concerns no file.
  private func isPublished(_ key: PostKey) -> Bool { bottom.map { key >= $0 } ?? true }

  /// Whether the posts are the same, each of them.
  var areSame: Bool { lowest == nil && ended == 0 }

  /// Which of the published posts stay behind fresh ones.
  /// - Parameter fresh: how many posts there are now from the lowest changed place on.
  /// - Returns: `nil` where that cannot be told.
  func staying(behind fresh: Int) -> Range<Int>? {
    if fresh >= keepPosts { return 0..<0 }
    if let highestEnd, let lowest, highestEnd >= lowest { return nil }
    let first = fresh - added
    let last = min(count - ended, first + keepPosts - fresh)
    guard first >= 0, first <= last else { return nil }
    // Others could move up from below.
    if bottom != nil, ended == 0, fresh + last - first < keepPosts { return nil }
    return first..<last
  }
}
