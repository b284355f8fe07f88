/// What a look at a whole archive has shown.
package struct ArchiveIntegrity: Sendable, Hashable {
  /// Posts that can be read, and those of which only the id is left.
  package let posts: Int
  package let deleted: Int
  /// What is wrong, a sentence each; empty when it is sound.
  package let problems: [String]

  package init(posts: Int, deleted: Int, problems: [String]) {
    self.posts = posts
    self.deleted = deleted
    self.problems = problems
  }
}
