package import Timeline

/// A post in its published form.
package struct PublishedPost: Sendable, Hashable {
  package var post: Post
  /// The JSON of the post in `home_timeline.json`.
  package var json: [UInt8]
  /// The account that received the post.
  package var account: String
  package var isUnread: Bool
  /// The URLs of omitted posts that other accounts received, with the same text by the same person.
  package var alsoAt: [String]

  package init(post: Post, json: [UInt8], account: String, isUnread: Bool, alsoAt: [String] = []) {
    self.post = post
    self.json = json
    self.account = account
    self.isUnread = isUnread
    self.alsoAt = alsoAt
  }
}
