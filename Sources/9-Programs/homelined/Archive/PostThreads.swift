internal import LocalCommands
internal import Settings
internal import Timeline

/// Posts sorted into threads. Each reply follows the post it replies to. The thread with the newest post comes first, and
/// replies to the same post are in chronological order.
struct PostThreads {
  /// A post, and the number of posts above it in its chain of replies.
  struct Line {
    let post: ShownPost
    let depth: Int
  }

  private(set) var lines: [Line] = []

  /// The number of posts added above a post. The beginning of a longer chain of replies is not shown.
  static let longestAddition = 20

  /// A post in an account's archive, or an event. Posts of an unknown account belong together.
  private struct Key: Hashable {
    let account: AccountName?
    let id: PostID
    /// Whether this is the id of a notification. It may be the same as a post's.
    var isEvent = false
  }

  /// - Parameters:
  ///   - posts: the posts to show, newest first.
  ///   - answered: returns the post another one replies to, if it is stored.
  init(of posts: [ShownPost], answered: AnsweredPosts) {
    var known: [Key: ShownPost] = [:]
    for post in posts { known[Self.key(of: post)] = post }
    var all = posts
    for post in posts {
      var reply = post
      for _ in 0..<Self.longestAddition {
        guard let parent = Self.parent(of: reply), known[parent] == nil, let found = answered.post(answeredBy: reply)
        else { break }
        known[Self.key(of: found)] = found
        all.append(found)
        reply = found
      }
    }
    arrange(all, known: Set(known.keys))
  }

  private mutating func arrange(_ posts: [ShownPost], known: Set<Key>) {
    var replies: [Key: [ShownPost]] = [:]
    for post in posts {
      if let parent = Self.parent(of: post), known.contains(parent), parent != Self.key(of: post) {
        replies[parent, default: []].append(post)
      }
    }
    // The posts above each post are followed at most once: each start is stored for all posts on the way.
    var starts: [Key: Key] = [:]
    let parents = Dictionary(posts.map { (Self.key(of: $0), Self.parent(of: $0)) }) { first, _ in first }
    func start(of key: Key) -> Key {
      var path: [Key] = []
      var seen: Set<Key> = []
      var current = key
      while starts[current] == nil, seen.insert(current).inserted, let next = parents[current] ?? nil,
        known.contains(next)
      {
        path.append(current)
        current = next
      }
      let start = starts[current] ?? current
      for key in path + [current] { starts[key] = start }
      return start
    }
    let byKey = Dictionary(posts.map { (Self.key(of: $0), $0) }) { first, _ in first }
    var shown: Set<Key> = []
    for post in posts {
      guard let first = byKey[start(of: Self.key(of: post))] else { continue }
      var stack = [Line(post: first, depth: 0)]
      while let line = stack.popLast() {
        let key = Self.key(of: line.post)
        // Posts that answer each other are shown once.
        guard shown.insert(key).inserted else { continue }
        lines.append(line)
        // The last post on the stack comes next, so the oldest reply must be last.
        let below = (replies[key] ?? []).sorted { $0.post.createdAt > $1.post.createdAt }
        stack += below.map { Line(post: $0, depth: line.depth + 1) }
      }
    }
  }

  /// Returns a mention's key as that of its post. Of any other event, what has happened counts, and several events can be about one post.
  private static func key(of post: ShownPost) -> Key {
    guard let notice = post.post.notice, notice.knownKind != .mention || post.post.isEventOnly else {
      return Key(account: post.origin, id: post.post.id)
    }
    return Key(account: post.origin, id: notice.id, isEvent: true)
  }

  private static func parent(of post: ShownPost) -> Key? {
    post.post.inReplyTo.map { Key(account: post.origin, id: $0.id) }
  }
}
