internal import Posting
internal import Storage
internal import Timeline

/// What an account's archive knows of the user's likes, reposts and bookmarks of some posts, also of those by other clients. It knows of likes and
/// bookmarks as far as it contains the timelines of these.
struct StoredMarks: Sendable {
  /// The user's id on the server; nil before the first login, or if it cannot be read.
  private var userID: String?
  private var liked: Set<PostID> = []
  private var bookmarked: Set<PostID> = []

  /// Knows nothing.
  init() {}

  init(of posts: [Post], in archive: any TimelineReading) throws(StorageError) {
    let state = try archive.state()
    userID = state.identity?.user.id
    let ids = Set(posts.map(\.id))
    liked = try archive.ids(ids, in: .likes)
    bookmarked = try archive.ids(ids, in: .bookmarks)
  }

  /// Returns whether the user is known to have liked, reposted or bookmarked a post.
  func areKnown(_ kind: PostAction.Kind, on post: Post) -> Bool {
    switch kind {
    case .like: liked.contains(post.id)
    case .bookmark: bookmarked.contains(post.id)
    case .repost: isOwn(post.repostedBy)
    case .delete: false
    }
  }

  func isOwn(_ user: User?) -> Bool { userID != nil && user?.id == userID }
}
