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
