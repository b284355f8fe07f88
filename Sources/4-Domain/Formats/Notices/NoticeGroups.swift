internal import Time
package import Timeline

/// Joins the likes, reposts and follows that belong together, so that they are shown as one. Only what people read is joined: files that
/// programs read contain each event.
package enum NoticeGroups {
  /// Events that the server does not group belong together within this time.
  private static let reach = Duration.seconds(86_400)

  /// What events of one group have in common.
  private struct Theme: Hashable {
    let kind: Notice.Kind
    let account: String?
    /// The number of gaps above. A group does not extend over a gap, because nobody knows how many events are missing from it.
    let section: Int
    let group: String?
    /// The post, if the server does not name a group; `nil` for follows.
    let post: PostID?
  }

  /// A post to show.
  package struct Entry: Sendable {
    /// The index of the post before joining.
    package let index: Int
    /// The newest post of a group, with the users who caused the events of the group; or a post that belongs to no group.
    package fileprivate(set) var post: Post
    /// Whether posts may be missing below it.
    package fileprivate(set) var isAboveGap = false
  }

  /// Returns the posts to show.
  /// - Parameters:
  ///   - posts: the posts, newest first.
  ///   - account: returns the account that received the post at an index.
  ///   - isAboveGap: returns whether posts may be missing below the post at an index.
  package static func joined(
    _ posts: [Post], account: (Int) -> String?, isAboveGap: (Int) -> Bool
  ) -> [Entry] {
    var joined: [Entry] = []
    joined.reserveCapacity(posts.count)
    var groups: [Theme: Group] = [:]
    var section = 0
    for (index, post) in posts.enumerated() {
      if let notice = post.notice, let theme = theme(of: post, notice, account(index), section) {
        if groups[theme]?.take(notice) != true {
          if let former = groups[theme] { former.show(in: &joined) }
          groups[theme] = Group(notice, at: joined.count)
          joined.append(Entry(index: index, post: post))
        }
      } else {
        joined.append(Entry(index: index, post: post))
      }
      if isAboveGap(index) {
        section += 1
        joined[joined.count - 1].isAboveGap = true
      }
    }
    for group in groups.values { group.show(in: &joined) }
    return joined
  }

  private static func theme(of post: Post, _ notice: Notice, _ account: String?, _ section: Int) -> Theme? {
    guard let kind = notice.knownKind, [.favourite, .reblog, .follow].contains(kind) else { return nil }
    let subject = notice.group == nil && !post.isEventOnly ? post.id : nil
    // Nothing shows whether two likes without a post and a group are about the same post.
    if notice.group == nil, subject == nil, kind != .follow { return nil }
    return Theme(kind: kind, account: account, section: section, group: notice.group, post: subject)
  }

  private struct Group {
    /// The newest event of the group.
    private let newest: Notice
    /// The index of the group among the posts to show.
    private let place: Int
    private var actors: [User]
    private var known: Set<String>

    init(_ notice: Notice, at place: Int) {
      newest = notice
      self.place = place
      actors = notice.actors
      known = Set(notice.actors.map(Self.identity))
    }

    /// Adds an older event; returns whether it belongs to the group. A user who likes a post again is named once.
    mutating func take(_ notice: Notice) -> Bool {
      guard newest.group != nil || newest.at - notice.at <= reach else { return false }
      actors += notice.actors.filter { known.insert(Self.identity(of: $0)).inserted }
      return true
    }

    func show(in joined: inout [Entry]) { joined[place].post.notice = newest.by(actors) }

    private static func identity(of user: User) -> String { user.id.isEmpty ? "@" + user.screenName : user.id }
  }
}
