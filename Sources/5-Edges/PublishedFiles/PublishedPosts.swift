internal import Formats
internal import Platform
internal import Storage
internal import Timeline

/// The posts in a published JSON file, and the changes since then. The next file reuses the lines of unchanged posts.
struct PublishedPosts {
  /// The maximum number of posts in the file.
  let keepPosts: Int
  /// The number of posts in the file.
  let count: Int
  /// The oldest post in the file.
  let last: PostPosition?
  /// The read position when the file was written.
  let readUpTo: PostPosition?
  let head: TimelineHead
  /// The state of the file when it was written, and the offset of its posts.
  let file: FileStatus
  let start: Int

  /// The lowest position that has changed since the file was written; `nil` if nothing has changed.
  private(set) var lowest: PostKey?
  /// The change in the number of posts from that position upwards.
  private var added = 0
  /// The number of posts removed at the older end of the file.
  private var ended = 0
  /// The highest position among the posts removed at the older end.
  private var highestEnd: PostKey?

  package init(
    keepPosts: Int, count: Int, last: PostPosition?, readUpTo: PostPosition?, head: TimelineHead, file: FileStatus,
    start: Int
  ) {
    self.keepPosts = keepPosts
    self.count = count
    self.last = last
    self.readUpTo = readUpTo
    self.head = head
    self.file = file
    self.start = start
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

  /// Returns whether a post at this position is published. In a full file, posts below the oldest published post are not.
  private func isPublished(_ key: PostKey) -> Bool { bottom.map { key >= $0 } ?? true }

  /// The oldest position in a full file; `nil` if the file is not full, so that older posts may be added.
  private var bottom: PostKey? { count < keepPosts ? nil : last?.key }

  /// Whether no post has changed.
  var areSame: Bool { lowest == nil && ended == 0 }

  /// Returns the range of published posts that remain after the new posts.
  /// - Parameter fresh: the current number of posts from the lowest changed position upwards.
  /// - Returns: `nil` if this cannot be determined.
  func remaining(after fresh: Int) -> Range<Int>? {
    if fresh >= keepPosts { return 0..<0 }
    if let highestEnd, let lowest, highestEnd >= lowest { return nil }
    let first = fresh - added
    let last = min(count - ended, first + keepPosts - fresh)
    guard first >= 0, first <= last else { return nil }
    // Older posts would fill the end of the file.
    if bottom != nil, ended == 0, fresh + last - first < keepPosts { return nil }
    return first..<last
  }
}

extension PublishedPosts {
  /// Returns the posts to publish now: changed posts from the database, and unchanged posts from the file.
  /// - Parameters:
  ///   - timeline: the timeline that the file belongs to.
  ///   - file: the JSON file as it was written.
  ///   - read: the current read position.
  /// - Returns: `nil` if the unchanged posts cannot be determined.
  func window(
    of timeline: TimelineName, in database: any PostStorage, file: [UInt8], readUpTo read: PostPosition?
  ) throws(StorageError) -> PostWindow? {
    guard readUpTo == read, let others = PostLines(file: file, from: start), others.count == count else { return nil }
    var window = PostWindow()
    window.lines.reserveCapacity(file.count + file.count / 4)
    if let lowest {
      try database.appendPosts(of: timeline, atMost: keepPosts, from: lowest, readUpTo: read, to: &window)
    }
    guard let remaining = remaining(after: window.lines.count) else { return nil }
    guard let oldest = remaining.last else { return window }
    guard let post = try? PostJSON.read(Array(others[oldest])) else { return nil }
    let marks = try database.positions(of: post.entryID, in: timeline)
    // If the timeline contains the id twice, the position is uncertain, and the file is rebuilt from the database.
    guard marks.count == 1 else { return nil }
    window.last = marks[0]
    // The unread posts come first.
    let firstRead = max(head.unread, remaining.lowerBound)
    window.unread += min(firstRead, remaining.upperBound) - remaining.lowerBound
    if read != nil, window.newestRead == nil, firstRead < remaining.upperBound {
      guard let post = try? PostJSON.read(Array(others[firstRead])) else { return nil }
      window.newestRead = post.entryID
    }
    window.lines.append(remaining, of: others)
    return window
  }
}
