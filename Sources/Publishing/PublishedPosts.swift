internal import CivilTime
internal import Platform
internal import Publish
internal import Storage
internal import Timeline

/// The posts of a `home_timeline.json` as it was written, and which of them have changed since: the next file takes from it the lines that
/// are the same.
struct PublishedPosts {
  /// How many posts the file could hold.
  let keepPosts: Int
  /// How many it has.
  let count: Int
  /// The oldest of them.
  let last: PostPosition?
  /// Up to where they were read.
  let readUpTo: PostPosition?
  let head: TimelineHead
  /// The file as it was written, and where its posts begin.
  let file: FileStatus
  let start: Int

  /// The lowest place that has changed since; `nil` where none has.
  private(set) var lowest: PostKey?
  /// How many posts there are more since, from there on.
  private var added = 0
  /// How many of the oldest have gone.
  private var ended = 0
  /// The highest of them.
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

  package mutating func note(_ changes: PostChanges) {
    for place in changes.places where isPublished(place.key) {
      lowest = min(lowest ?? place.key, place.key)
      added += place.added
    }
    for key in changes.ends where isPublished(key) {
      highestEnd = max(highestEnd ?? key, key)
      ended += 1
    }
  }

  /// Where there is no room for more, a post below the oldest published one concerns no file.
  private func isPublished(_ key: PostKey) -> Bool { bottom.map { key >= $0 } ?? true }

  /// The oldest place, where others may be below it.
  private var bottom: PostKey? { count < keepPosts ? nil : last?.key }

  /// Whether all posts are the same.
  var areSame: Bool { lowest == nil && ended == 0 }

  /// Which of the published posts are still published, behind new ones.
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

extension PublishedPosts {
  /// The posts to be published now: those that have changed from the database, the others from the file.
  /// - Parameters:
  ///   - file: `home_timeline.json` as it was written.
  ///   - read: up to where everything is read now.
  /// - Returns: `nil` where the others cannot be told.
  func window(
    of database: any PostStorage, file: [UInt8], readUpTo read: PostPosition?
  ) throws(StorageError) -> PostWindow? {
    guard readUpTo == read, let others = PostLines(file: file, from: start), others.count == count else { return nil }
    var window = PostWindow()
    window.lines.reserveCapacity(file.count + file.count / 4)
    if let lowest { try database.appendPosts(atMost: keepPosts, from: lowest, readUpTo: read, to: &window) }
    guard let staying = staying(behind: window.lines.count) else { return nil }
    guard let oldest = staying.last else { return window }
    guard let post = try? PostJSON.read(Array(others[oldest])), let mark = try database.mark(of: post.id) else {
      return nil
    }
    window.last = mark
    // The unread ones come first.
    let firstRead = max(head.unread, staying.lowerBound)
    window.unread += min(firstRead, staying.upperBound) - staying.lowerBound
    if read != nil, window.newestRead == nil, firstRead < staying.upperBound {
      guard let post = try? PostJSON.read(Array(others[firstRead])) else { return nil }
      window.newestRead = post.id
    }
    window.lines.append(staying, of: others)
    return window
  }
}

/// What is known of an account's published files, in memory alone, as long as its database is open. A process that begins anew, or finds a file
/// that somebody has touched, makes it anew. Belongs to the database's queue.
final class PublicationMemory: PostObserver {
  /// `nil` where it is not known what `home_timeline.json` holds.
  var posts: PublishedPosts?
  /// The other files as they were written.
  var files: [PublishedFormat: FileStatus] = [:]
  /// What was published besides `home_timeline.json`.
  var formats: [PublishedFormat] = []
  /// Formats whose files are behind.
  var waiting: Set<PublishedFormat> = []

  /// The memory of what is published of a database, which begins with the first look.
  static func of(_ database: any PostStorage) -> PublicationMemory {
    if let memory = database.observer as? PublicationMemory { return memory }
    let memory = PublicationMemory()
    database.observer = memory
    return memory
  }

  func postsChanged(_ changes: PostChanges) { posts?.note(changes) }

  func allPostsChanged() {
    posts = nil
    files = [:]
  }
}
