package import Timeline

/// What part of a timeline is asked for; without marks its newest posts.
package struct TimelineQuery: Sendable, Hashable {
  /// Whose timeline, by the provider's id, where an address names its user; `nil` before that is known.
  package let userID: String?
  /// From where on downwards; `nil` from the newest post.
  package let older: PageCursor?
  /// Only what is newer than this post.
  package let since: PostMark?
  /// How many posts at most; the provider's page size limits it.
  package let count: Int
  /// The tag of the last answer to the very same query: unchanged content then needs not to be sent.
  package let etag: String?

  package init(
    userID: String? = nil, older: PageCursor? = nil, since: PostMark? = nil, count: Int, etag: String? = nil
  ) {
    self.userID = userID
    self.older = older
    self.since = since
    self.count = count
    self.etag = etag
  }
}
