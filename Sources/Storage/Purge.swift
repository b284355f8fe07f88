package import CivilTime
package import Timeline

/// What is to be removed from an archive for good.
package enum Purge: Sendable, Hashable {
  /// A post, and its words inside other posts.
  case post(PostID)
  /// All that somebody wrote or brought into the timeline, by screen name, letter case aside; and their words inside other posts.
  case author(String)
  /// What was published before a moment. Nothing older is taken again.
  case before(Timestamp)
  /// All that there is. Only what is published from now on is taken again.
  case everything
}

/// What a purge has removed.
package struct Purged: Sendable, Hashable {
  /// How many posts went.
  package var posts: Int
  /// How many posts of others stayed, without what they quoted of these.
  package var quotes: Int
  /// The avatars and pictures that these posts showed, for whoever keeps them.
  package var pictures: [String]
  /// Whether the file holds nothing of it any more. Somebody who read it just then has kept its log, which the next refresh clears.
  package var isLogCleared: Bool

  package init(posts: Int = 0, quotes: Int = 0, pictures: [String] = [], isLogCleared: Bool = true) {
    self.posts = posts
    self.quotes = quotes
    self.pictures = pictures
    self.isLogCleared = isLogCleared
  }
}

/// A purge that goes on in portions. A store notes it from its beginning to its end, so that the next owner finishes one that was
/// interrupted.
package struct PurgeRun: Sendable, Hashable {
  package let purge: Purge
  /// By which the store knows it.
  package let number: Int64
  /// How far it has come, in steps of the store's own.
  package var progress: Progress
  /// What was removed until now, as far as this process did it; the pictures when it has ended.
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
