internal import Time
internal import Timeline

/// A post to store, with its published form. The form is written once. If the time of an edit becomes known later, it is appended.
struct WrittenPost {
  var post: Post
  private let json: [UInt8]
  /// The time of the last edit in `json`.
  private let writtenEdit: Timestamp?

  init(_ post: Post) {
    self.post = post
    json = PostJSON.bytes(post)
    writtenEdit = post.editedAt
  }

  /// The published form of the post. Only the time of the last edit may have changed since it was written.
  var bytes: [UInt8] {
    guard let editedAt = post.editedAt, editedAt != writtenEdit else { return json }
    return writtenEdit == nil ? PostJSON.bytes(json, editedAt: editedAt) : PostJSON.bytes(post)
  }
}
