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
