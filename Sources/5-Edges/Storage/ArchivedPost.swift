package import Time
package import Timeline

/// A row of an archive: a stored post, shown or filtered, or the remains of a deleted post.
package struct ArchivedPost: Sendable {
  package let mark: PostPosition
  package let createdAt: Timestamp
  /// The post as JSON; `nil` if it was deleted.
  package let json: [UInt8]?
  /// The post as the provider's JSON; empty if it is not stored.
  let source: [UInt8]
  let edits: [ImportedPost.Edit]
  package let deletedAt: Timestamp?
  /// The timelines of the export's scope that contain the post.
  let timelines: [PostTimeline]

  package init(
    mark: PostPosition, createdAt: Timestamp, json: [UInt8]?, source: [UInt8], edits: [ImportedPost.Edit],
    deletedAt: Timestamp?, timelines: [PostTimeline] = [.home]
  ) {
    (self.mark, self.createdAt, self.json) = (mark, createdAt, json)
    (self.source, self.edits, self.deletedAt) = (source, edits, deletedAt)
    self.timelines = timelines
  }

  /// The row as one line of an export.
  package var line: [UInt8] {
    guard let json else {
      return ArchiveLine.bytes(
        deleted: mark.id, key: mark.key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt,
        timelines: timelines)
    }
    return ArchiveLine.bytes(json, key: mark.key, source: source, edits: edits, timelines: timelines)
  }
}
