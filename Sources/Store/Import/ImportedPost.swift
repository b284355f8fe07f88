package import CivilTime
package import Timeline

/// A post of an archive as it is exported and imported: all that is kept of it.
package struct ImportedPost: Sendable, Hashable {
  /// What it said before, and until when.
  package struct Edit: Sendable, Hashable {
    package let until: Timestamp
    /// The id that it had then.
    package let id: PostID
    package let text: String

    package init(until: Timestamp, id: PostID, text: String) {
      self.until = until
      self.id = id
      self.text = text
    }
  }

  package let key: PostKey
  package let id: PostID
  package let createdAt: Timestamp
  /// `nil` for one that was deleted.
  package let post: Post?
  /// The provider's own words, JSON; empty where they are not known.
  package let source: [UInt8]
  /// The oldest first.
  package let edits: [Edit]
  package let deletedAt: Timestamp?

  package init(_ post: Post, key: PostKey, source: [UInt8] = [], edits: [Edit] = []) {
    (id, createdAt, self.post, deletedAt) = (post.id, post.createdAt, post, nil)
    self.key = key
    self.source = source
    self.edits = edits
  }

  /// One that was deleted at the provider.
  package init(deleted id: PostID, key: PostKey, createdAt: Timestamp, deletedAt: Timestamp) {
    self.key = key
    self.id = id
    self.createdAt = createdAt
    self.deletedAt = deletedAt
    (post, source, edits) = (nil, [], [])
  }

  package var mark: PostMark { PostMark(id: id, key: key) }
}
