/// One answer of a provider: posts that follow each other without a hole.
package struct Page: Sendable {
  /// A post and its place.
  package struct Entry: Sendable, Hashable {
    package let post: Post
    package let key: PostKey
    /// The post in its provider's own words, which nobody reads here: they are kept for those who want more of it. A part of the
    /// answer, of which the few posts that are new are copied.
    package let source: ArraySlice<UInt8>
    /// What names it beside its id; `nil` where the id says all.
    package let identity: PostIdentity?

    /// - Parameter post: its parts are kept within `PostLimits`.
    package init(post: Post, key: PostKey, source: ArraySlice<UInt8> = [], identity: PostIdentity? = nil) {
      self.post = post.isLimited ? post : post.limited
      self.key = key
      self.source = source
      self.identity = identity
    }

    /// The same post at another place.
    package func at(_ key: PostKey) -> Entry { Entry(post: post, key: key, source: source, identity: identity) }

    package var mark: PostMark { PostMark(id: post.id, key: key) }
  }

  /// Newest first, each key once.
  package let entries: [Entry]
  /// How to ask for what comes below; `nil` when the provider has nothing older within reach.
  package let older: PageCursor?
  /// Posts of which the provider says itself that they were deleted. That one is not in a page says nothing.
  package let deleted: [PostMark]
  /// A place below the oldest entry down to which nothing is missing either: the provider said that nothing lies between.
  package let reaches: PostMark?

  /// From where to where nothing is missing, `reaches` left aside; `nil` for a page without posts.
  package let stretch: ClosedRange<PostMark>?

  /// - Parameters:
  ///   - entries: in any order; of one key the first counts.
  ///   - stretch: where it is not from the oldest to the newest entry: a later version of a post keeps the place of the first
  ///     one, and says nothing of what lies between.
  package init(
    entries: [Entry], older: PageCursor?, reaches: PostMark? = nil, stretch: ClosedRange<PostMark>? = nil,
    deleted: [PostMark] = []
  ) {
    var seen: Set<PostKey> = []
    let sorted = entries.filter { seen.insert($0.key).inserted }.sorted { $0.key > $1.key }
    self.entries = sorted
    self.stretch = stretch ?? sorted.last.map { $0.mark...sorted[0].mark }
    self.older = older
    self.reaches = reaches
    self.deleted = deleted
  }
}

/// A provider's own word for where to read on: opaque, and kept with the span that it continues.
package struct PageCursor: Sendable, Hashable {
  package let text: String
  package init(_ text: String) { self.text = text }
}
