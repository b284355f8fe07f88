package import Time

/// One response from a provider: consecutive posts without a gap.
package struct Page: Sendable {
  /// A post, or an event that may be about a post, and its key.
  package struct Entry: Sendable, Hashable {
    package let post: Post
    /// The position in the timeline.
    package let key: PostKey
    /// The position among all posts, if it is another one: a bookmark is at the time of marking, and a like at the time of the event.
    private let ownKey: PostKey?
    /// The provider's JSON for the post, stored for programs that need more of the post. It is a slice of the response and is copied only
    /// for new posts.
    package let source: ArraySlice<UInt8>
    /// Further identities of the post; `nil` if the id is sufficient.
    package let identity: PostIdentity?

    /// - Parameter post: its parts are limited by `PostLimits`.
    package init(post: Post, key: PostKey, source: ArraySlice<UInt8> = [], identity: PostIdentity? = nil) {
      self.init(post, key, nil, source, identity)
    }

    private init(
      _ post: Post, _ key: PostKey, _ ownKey: PostKey?, _ source: ArraySlice<UInt8>, _ identity: PostIdentity?
    ) {
      self.post = post.isLimited ? post : post.limited
      self.key = key
      self.ownKey = ownKey
      self.source = source
      self.identity = identity
    }

    /// Returns the same post with a different key.
    package func at(_ key: PostKey) -> Entry { Entry(post, key, ownKey, source, identity) }

    /// Returns the entry of the same post at a position of the timeline that is not the post's own.
    package func marked(at key: PostKey) -> Entry { Entry(post, key, postKey, source, identity) }

    /// Returns the entry of an event that is about this post.
    package func noticed(_ notice: Notice, at key: PostKey) -> Entry {
      var post = post
      post.notice = notice
      return Entry(post, key, postKey, source, identity)
    }

    /// The post's position among all posts, whichever timeline shows it.
    package var postKey: PostKey { ownKey ?? key }

    /// Whether the entry has a position in the timeline that is not the post's own.
    package var isMarked: Bool { ownKey != nil }

    /// Returns the same entry with a different version of the post, without the provider's JSON and identities.
    package func with(_ post: Post) -> Entry { Entry(post, key, ownKey, [], nil) }

    /// The entry of the event alone, without its post; `nil` for an entry without an event.
    package var withoutPost: Entry? { post.notice.map { Entry(post: Post(event: $0), key: key) } }

    package var mark: PostPosition { PostPosition(id: post.entryID, key: key) }
  }

  /// The posts, newest first, with each key only once.
  package let entries: [Entry]
  /// The cursor of the next older page; `nil` if the provider has nothing older within reach.
  package let older: PageCursor?
  /// Posts that the provider reports as deleted. The absence of a post alone proves nothing.
  package let deleted: [PostPosition]
  /// A position below the oldest entry. The provider states that no posts are missing down to here.
  package let reaches: PostPosition?

  /// The range where no posts are missing, not counting `reaches`; `nil` for a page without posts.
  package let stretch: ClosedRange<PostPosition>?

  /// - Parameters:
  ///   - entries: in any order; if several have the same key, the first is used.
  ///   - stretch: the covered range, if it is not the range of the entries. An edited post keeps the position of the original and proves
  ///     nothing about the posts in between.
  package init(
    entries: [Entry], older: PageCursor?, reaches: PostPosition? = nil, stretch: ClosedRange<PostPosition>? = nil,
    deleted: [PostPosition] = []
  ) {
    let sorted = Self.sorted(entries)
    self.entries = sorted
    self.stretch = stretch ?? sorted.last.map { $0.mark...sorted[0].mark }
    self.older = older
    self.reaches = reaches
    self.deleted = deleted
  }

  private static func sorted(_ entries: [Entry]) -> [Entry] {
    // Nearly all responses are in order.
    let isSorted = entries.indices.dropFirst().allSatisfy { entries[$0 - 1].key > entries[$0].key }
    if isSorted { return entries }
    var seen: Set<PostKey> = []
    return entries.filter { seen.insert($0.key).inserted }.sorted { $0.key > $1.key }
  }
}

extension Page {
  /// Returns the page without posts that came into the timeline before a given time. If posts were left out, no older page is requested.
  package func published(since begin: Timestamp) -> Page {
    let recent = entries.filter { $0.post.enteredAt >= begin }
    if recent.count == entries.count { return self }
    return Page(entries: recent, older: nil, reaches: reaches, stretch: stretch, deleted: deleted)
  }
}
