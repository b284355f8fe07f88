internal import CivilTime
internal import Platform
internal import Publish
internal import Timeline

/// What was read of a damaged database.
package struct Salvaged: Sendable, Hashable, CustomStringConvertible {
  /// Posts that can be read, and those of which only the id was left.
  package var posts: Int
  package var deleted: Int
  /// Whether every post could be read. Otherwise nothing claims to be whole any more: what lies between the posts is asked for again.
  package var isWhole: Bool

  package init(posts: Int = 0, deleted: Int = 0, isWhole: Bool = false) {
    self.posts = posts
    self.deleted = deleted
    self.isWhole = isWhole
  }

  package var description: String {
    let posts = "\(posts) post\(posts == 1 ? " was" : "s were") read from it"
    return isWhole ? posts : posts + ", and what is missing is asked for again"
  }
}
