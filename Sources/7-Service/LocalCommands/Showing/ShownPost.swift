package import Formats
internal import JSON
package import Settings
package import Timeline

/// A post to show, with the context from its file.
package struct ShownPost {
  package private(set) var post: Post
  /// The post as in the file, plus an `account` member if several are shown.
  package let json: [UInt8]
  /// The account that received the post, if several accounts are shown.
  package let account: String?
  /// Whether posts can be missing directly below it.
  package private(set) var hasGapBelow: Bool
  /// Whether the post is newer than the newest read post; false if no posts are marked as read.
  package let isUnread: Bool
  /// The account whose archive contains the post; nil if the file does not state it.
  package let origin: AccountName?
  /// The places that a search has found.
  package var matches: PostMatches

  package init(
    post: Post, json: [UInt8], account: String?, hasGapBelow: Bool, isUnread: Bool, origin: AccountName?,
    matches: PostMatches = PostMatches()
  ) {
    self.post = post
    self.json = json
    self.account = account
    self.hasGapBelow = hasGapBelow
    self.isUnread = isUnread
    self.origin = origin
    self.matches = matches
  }

  /// Returns posts from a file.
  /// - Parameters:
  ///   - indices: The indices of the posts in the file.
  ///   - isOneOfMany: Whether posts from other accounts are also shown.
  static func posts(
    at indices: some Sequence<Int>, of file: TimelineFile, in source: ShownSource, isOneOfMany: Bool
  ) -> [ShownPost] {
    let gaps = Set(file.head.gaps.map(\.before))
    return indices.map { index in
      let post = file.posts[index]
      // The file may come from a version that wrote these characters.
      let json = VisibleJSON.escaped(file.fragments[index])
      let origin = source.isView ? PostJSON.origin(of: json) : PostJSON.Origin()
      return ShownPost(
        post: post, json: isOneOfMany ? PostJSON.bytes(json, account: source.account?.text ?? source.name) : json,
        account: isOneOfMany ? source.account?.text ?? source.name : origin.account,
        hasGapBelow: gaps.contains(post.entryID),
        isUnread: origin.isUnread ?? (file.head.readUpTo != nil && file.isUnread(index)),
        origin: source.account ?? AccountName(origin.account ?? ""))
    }
  }

  /// Returns the posts with likes, reposts and follows that belong together as one.
  /// - Parameter posts: The posts, newest first.
  package static func joiningNotices(_ posts: [ShownPost]) -> [ShownPost] {
    if !posts.contains(where: { $0.post.notice != nil }) { return posts }
    return NoticeGroups.joined(
      posts.map(\.post), account: { posts[$0].origin?.text }, isAboveGap: { posts[$0].hasGapBelow }
    ).map { entry in
      var shown = posts[entry.index]
      (shown.post, shown.hasGapBelow) = (entry.post, entry.isAboveGap)
      return shown
    }
  }

  /// Returns the posts sorted newest first; the sort is stable.
  static func merged(_ posts: [ShownPost]) -> [ShownPost] {
    posts.enumerated().sorted { left, right in
      let (first, second) = (left.element.post.enteredAt, right.element.post.enteredAt)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}

extension TimelineFile {
  /// Returns whether a post is unread. In an account's file, the newest posts are unread, or all posts if none is marked as read. Posts in
  /// a view have a member for this.
  package func isUnread(_ index: Int) -> Bool {
    PostJSON.origin(of: fragments[index]).isUnread ?? (head.readUpTo == nil || index < head.unread)
  }
}
