internal import Platform
internal import Time
internal import Timeline

/// The content recovered from a corrupt database.
package struct Salvaged: Sendable, Hashable, CustomStringConvertible {
  /// The number of posts: readable posts, and deleted posts whose id alone is left.
  package var posts: Int
  package var deleted: Int
  /// Whether every post was readable. If not, no span is recovered, and the missing posts are fetched again.
  package var isComplete: Bool

  package init(posts: Int = 0, deleted: Int = 0, isComplete: Bool = false) {
    self.posts = posts
    self.deleted = deleted
    self.isComplete = isComplete
  }

  package var description: String {
    let posts = "\(posts) post\(posts == 1 ? " was" : "s were") recovered"
    return isComplete ? posts : posts + ", missing posts will be fetched again"
  }
}
