internal import JSON
internal import Publish
internal import Timeline

/// A post that is shown, with what its file says around it.
struct ShownPost {
  let post: Post
  /// As it stands in the file, with its account where several are shown.
  let json: [UInt8]
  /// Through which account it came, where several are shown.
  let account: String?
  /// Whether posts may be missing right below it.
  let hasGapBelow: Bool
  /// Whether it is newer than what is marked as read, where anything is.
  let isUnread: Bool

  /// - Parameters:
  ///   - places: of the posts in the file.
  ///   - isOneOfMany: whether posts of other accounts are shown beside them.
  static func posts(
    at places: some Sequence<Int>, of file: TimelineFile, in source: ShownSource, isOneOfMany: Bool
  ) -> [ShownPost] {
    let gaps = Set(file.head.gaps.map(\.before))
    return places.map { place in
      let post = file.posts[place]
      // A version before may have published the file.
      let json = VisibleJSON.escaped(file.fragments[place])
      let origin = source.isView ? PostJSON.origin(of: json) : PostJSON.Origin()
      return ShownPost(
        post: post, json: isOneOfMany ? PostJSON.bytes(json, account: source.name) : json,
        account: isOneOfMany ? source.name : origin.account, hasGapBelow: gaps.contains(post.id),
        isUnread: origin.isUnread ?? (file.head.readUpTo != nil && file.isUnread(place)))
    }
  }

  /// Newest first; of the same moment those first that stood first.
  static func merged(_ posts: [ShownPost]) -> [ShownPost] {
    posts.enumerated().sorted { left, right in
      let (first, second) = (left.element.post.createdAt, right.element.post.createdAt)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}

extension TimelineFile {
  /// Whether the post at a place is unread: of an account the newest ones are, before the first mark all; those of a view say it
  /// themselves.
  func isUnread(_ place: Int) -> Bool {
    PostJSON.origin(of: fragments[place]).isUnread ?? (head.readUpTo == nil || place < head.unread)
  }
}
