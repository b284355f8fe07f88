internal import ControlProtocol
internal import Posting

/// What a button below a post does. Its raw value is the button's value in a form (`do`).
enum PostAct: String, Sendable, Hashable, CaseIterable {
  case like, unlike, repost, unrepost, bookmark, unbookmark
  /// Moves the read mark of the post's timeline to the post, in either direction.
  case read
  case delete

  /// The action on the server; nil for a change of the archive alone.
  var action: PostAction? {
    switch self {
    case .like: PostAction(.like)
    case .unlike: PostAction(.like, isUndone: true)
    case .repost: PostAction(.repost)
    case .unrepost: PostAction(.repost, isUndone: true)
    case .bookmark: PostAction(.bookmark)
    case .unbookmark: PostAction(.bookmark, isUndone: true)
    case .delete: PostAction(.delete)
    case .read: nil
    }
  }

  /// The opposite; nil for an act without one.
  var opposite: PostAct? {
    switch self {
    case .like: .unlike
    case .unlike: .like
    case .repost: .unrepost
    case .unrepost: .repost
    case .bookmark: .unbookmark
    case .unbookmark: .bookmark
    case .read, .delete: nil
    }
  }

  /// The button's text.
  var label: String {
    switch self {
    case .like: "Like"
    case .unlike: "Unlike"
    case .repost: "Repost"
    case .unrepost: "Undo repost"
    case .bookmark: "Bookmark"
    case .unbookmark: "Remove bookmark"
    case .read: "Read up to here"
    case .delete: "Delete"
    }
  }

  /// What the page says after it was done.
  /// - Parameter wasAlready: whether there was nothing to do.
  func message(wasAlready: Bool) -> PageMessage {
    switch self {
    case .like: wasAlready ? .wasLiked : .liked
    case .unlike: wasAlready ? .wasNotLiked : .unliked
    case .repost: wasAlready ? .wasReposted : .reposted
    case .unrepost: wasAlready ? .wasNotReposted : .unreposted
    case .bookmark: wasAlready ? .wasBookmarked : .bookmarked
    case .unbookmark: wasAlready ? .wasNotBookmarked : .unbookmarked
    case .read: .marked
    case .delete: wasAlready ? .wasDeleted : .deleted
    }
  }

  /// The title of the page that says why it was not done.
  var failure: String {
    switch self {
    case .like: "The post is not liked"
    case .unlike: "The like is not taken back"
    case .repost: "The post is not reposted"
    case .unrepost: "The repost is not taken back"
    case .bookmark: "The post is not bookmarked"
    case .unbookmark: "The bookmark is not removed"
    case .read: "The read mark is not moved"
    case .delete: "The post is not deleted"
    }
  }

  /// The title of the page if it takes longer than the page waits.
  var delay: String {
    switch self {
    case .read: "The read mark is not moved yet"
    case .delete: "The post is not deleted yet"
    default: "The server has not answered yet"
    }
  }
}
