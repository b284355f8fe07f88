/// The result of an archive check.
package struct ArchiveIntegrity: Sendable, Hashable {
  /// The number of posts: readable ones, and deleted ones of which only the id is left.
  package let posts: Int
  package let deleted: Int
  /// The problems found, one sentence each; empty if none.
  package let problems: [String]

  package init(posts: Int, deleted: Int, problems: [String]) {
    self.posts = posts
    self.deleted = deleted
    self.problems = problems
  }
}
