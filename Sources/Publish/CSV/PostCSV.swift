package import CivilTime
package import Timeline

/// Posts as comma-separated values, for a spreadsheet.
package enum PostCSV {
  /// The first line: the names of the columns.
  package static let header = CSVLine.text([
    "id", "created_at", "author", "name", "text", "url", "language", "reposted_by", "in_reply_to", "replies", "reposts",
    "likes", "edited_at", "deleted_at",
  ])

  package static func line(of post: Post) -> String {
    CSVLine.text([
      post.id.text, post.createdAt.rfc3339, post.author.screenName, post.author.name, post.text, post.url,
      post.language,
      post.repostedBy?.screenName, post.inReplyTo?.id.text, post.counts.replies.map(String.init),
      post.counts.reposts.map(String.init), post.counts.likes.map(String.init), post.editedAt?.rfc3339, nil,
    ])
  }

  /// One that was deleted, or cannot be read: of it nothing else is kept.
  package static func line(ofDeleted id: PostID, createdAt: Timestamp, deletedAt: Timestamp?) -> String {
    let none = [String?](repeating: nil, count: 11)
    return CSVLine.text([id.text, createdAt.rfc3339] + none + [deletedAt?.rfc3339])
  }
}
