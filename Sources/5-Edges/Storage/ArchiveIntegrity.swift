/// The result of an archive check.
package struct ArchiveIntegrity: Sendable, Hashable {
  /// The number of posts: readable posts, and deleted posts whose id alone is left.
  package let posts: Int
  package let deleted: Int
  /// The number of posts that the user's filters hide.
  package let filtered: Int
  /// The problems found, one sentence each; empty if none.
  package let problems: [String]

  package init(posts: Int, deleted: Int, filtered: Int = 0, problems: [String]) {
    self.posts = posts
    self.deleted = deleted
    self.filtered = filtered
    self.problems = problems
  }
}
