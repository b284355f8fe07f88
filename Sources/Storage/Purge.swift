package import CivilTime
package import Timeline

/// The content to remove permanently from an archive.
package enum Purge: Sendable, Hashable {
  /// A post, and its text quoted in other posts.
  case post(PostID)
  /// All posts by an author or reposted by them, identified by screen name in any letter case, and their text quoted in other posts.
  case author(String)
  /// All posts published before a given time. Posts that old are not stored again.
  case before(Timestamp)
  /// All posts. After that, only posts published after the purge are stored.
  case everything
}

/// The result of a purge.
package struct Purged: Sendable, Hashable {
  /// The number of removed posts.
  package var posts: Int
  /// The number of remaining posts that quoted a removed post. The quoted text has been removed from them.
  package var quotes: Int
  /// The URLs of avatars and pictures in the removed posts, so that stored copies can be removed.
  package var pictures: [String]
  /// Whether the write-ahead log no longer contains any removed content. If a reader prevented this, the next refresh clears the log.
  package var isLogCleared: Bool

  package init(posts: Int = 0, quotes: Int = 0, pictures: [String] = [], isLogCleared: Bool = true) {
    self.posts = posts
    self.quotes = quotes
    self.pictures = pictures
    self.isLogCleared = isLogCleared
  }
}

/// A purge, which removes posts in portions. The store keeps a record of the purge until it has finished, so that the next process that
/// owns the state completes an interrupted purge.
package struct PurgeRun: Sendable, Hashable {
  package let purge: Purge
  /// The number that identifies the purge in its store.
  package let number: Int64
  /// The progress, in steps defined by the store.
  package var progress: Progress
  /// The result so far in this process. It contains the pictures only once the purge has finished.
  package var purged: Purged
  package var hasEnded: Bool

  package struct Progress: Sendable, Hashable {
    package var done: Int
    package var of: Int

    package init(done: Int, of: Int) {
      self.done = done
      self.of = of
    }
  }

  package init(_ purge: Purge, number: Int64, progress: Progress, purged: Purged = Purged(), hasEnded: Bool = false) {
    self.purge = purge
    self.number = number
    self.progress = progress
    self.purged = purged
    self.hasEnded = hasEnded
  }
}
