package import Time
package import Timeline

/// The content to remove permanently from an archive.
package enum Purge: Sendable, Hashable {
  /// A post, and its text quoted in other posts.
  case post(PostID)
  /// All posts by an author or reposted by them, identified by their case-insensitive screen name, and their text quoted in other posts.
  case author(String)
  /// All posts published before a given time. Posts that old are not stored again.
  case before(Timestamp)
  /// All posts. After that, only posts published after the purge are stored.
  case everything
}
