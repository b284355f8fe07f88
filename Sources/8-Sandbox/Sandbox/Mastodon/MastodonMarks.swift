internal import Time

/// The posts that the user has bookmarked or favourited, in the order of marking.
struct MastodonMarks: Sendable {
  /// By the action's name, newest mark last.
  private var marks: [String: [SandboxHistory.Mark]]
  /// The numbers of the posts in the earlier marks, which no request has made.
  private let earlier: [String: Set<UInt64>]

  init(_ history: SandboxHistory) {
    marks = ["bookmark": history.bookmarks, "favourite": history.favourites]
    earlier = marks.mapValues { Set($0.map(\.post.id)) }
  }

  /// Returns the marks, newest first.
  func list(_ action: String) -> [SandboxHistory.Mark] { (marks[action] ?? []).reversed() }

  /// The numbers of the posts that requests have marked.
  func added(_ action: String) -> Set<UInt64> { numbers(action).subtracting(earlier[action] ?? []) }

  func numbers(_ action: String) -> Set<UInt64> { Set((marks[action] ?? []).map(\.post.id)) }

  /// Marks a post. A mark that exists stays where it is.
  mutating func add(_ action: String, _ post: SandboxPost, at now: Timestamp) {
    guard let known = marks[action], !known.contains(where: { $0.post.id == post.id }) else { return }
    let serial = (known.last?.serial ?? 0) + 1 + post.id % 5
    marks[action]?.append(SandboxHistory.Mark(serial: serial, markedAt: now, post: post))
  }

  mutating func remove(_ action: String, _ post: SandboxPost) { marks[action]?.removeAll { $0.post.id == post.id } }

  /// Returns the number behind the id of a mark, by which its page is bounded.
  static func key(_ mark: SandboxHistory.Mark, _ flavour: MastodonFlavour) -> UInt64 {
    switch flavour {
    case .mastodon, .oldMastodon, .akkoma: mark.serial
    case .goToSocial: PostCalendar.id(at: mark.markedAt, Int(mark.serial & 0x3f_ffff))
    // A page is bounded by ids of posts.
    case .snac: mark.post.id
    }
  }
}
