package import Time

/// A post as the server has published it.
package struct SentPost: Sendable, Hashable {
  package let id: String
  package let url: String?
  /// The plain text, without the content warning.
  package let text: String
  /// The visibility; `nil` if the server does not report one.
  package let visibility: PostVisibility?
  /// The id of the post that this one replies to.
  package let replyTo: String?
  /// Further properties, known right after the server's response; `nil` if the server does not report them.
  package let details: Details?
  /// The author's id, known right after the server's response; `nil` if the server does not name the author.
  package let authorID: String?
  /// The time when the server published the post, on this machine's clock; `nil` if unknown.
  package let createdAt: Timestamp?

  /// Properties compared with the draft, but not needed to recognise a post.
  package struct Details: Sendable, Hashable {
    /// The content warning; empty if there is none.
    let warning: String
    let language: String?
    let fileCount: Int

    package init(warning: String, language: String?, fileCount: Int) {
      self.warning = warning
      self.language = language
      self.fileCount = fileCount
    }
  }

  package init(
    id: String, url: String?, text: String, visibility: PostVisibility?, replyTo: String?, details: Details? = nil,
    authorID: String? = nil, createdAt: Timestamp? = nil
  ) {
    self.details = details
    self.authorID = authorID
    self.createdAt = createdAt
    self.id = id
    self.url = url
    self.text = text
    self.visibility = visibility
    self.replyTo = replyTo
  }
}
