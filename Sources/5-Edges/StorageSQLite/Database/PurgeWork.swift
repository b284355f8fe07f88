internal import Storage
internal import Time
internal import Timeline

/// The remaining work of a purge.
struct PurgeWork {
  /// The rows that have yet to be checked, in order.
  var rows: ArraySlice<Int64>
  /// The number of rows in a version 4 index that have yet to be divided. That index also contains the purged text.
  var undivided: Int
  var pictures: Set<String> = []
  private let count: Int

  init(rows: [Int64], undivided: Int) {
    self.rows = rows[...]
    self.undivided = undivided
    count = rows.count + undivided
  }

  var progress: PurgeRun.Progress { PurgeRun.Progress(done: count - rows.count - undivided, of: count) }
}

/// Queries for the rows that a purge has to check. Each uses an index, so the archive is not scanned.
enum PurgeCandidates {
  static let before = "SELECT row FROM posts WHERE created_at < ?"
  static let post = "SELECT row FROM posts WHERE id = ?"
  static let quotes = "SELECT row FROM quotes WHERE id = ?"
  static let author = "SELECT row FROM posts WHERE author IN (SELECT id FROM authors WHERE screen_name = ?)"
}

extension Purge {
  /// The part of a post to remove.
  enum MatchedPart { case whole, quote, none }

  /// Returns the part of a post that the purge removes.
  /// - Parameter authors: the ids of the users with the purged name.
  func matchedPart(of stored: PostTable.StoredPost, by authors: Set<String>) -> MatchedPart {
    switch self {
    case .before(let moment): return stored.createdAt < moment ? .whole : .none
    case .everything: return .whole
    case .post(let id):
      // A tombstone is no longer a post.
      guard stored.json != nil else { return .none }
      if stored.id == id { return .whole }
      return stored.post?.quoted?.id == id ? .quote : .none
    case .author:
      guard let post = stored.post else { return .none }
      if isAuthor(post.author, of: authors) || isAuthor(post.repostedBy) { return .whole }
      return isAuthor(post.quoted?.author) ? .quote : .none
    }
  }

  /// Returns whether a user has the purged name.
  /// - Parameter authors: the ids of further users to purge.
  func isAuthor(_ user: User?, of authors: Set<String> = []) -> Bool {
    guard case .author(let name) = self, let user else { return false }
    return authors.contains(user.id) || Self.isSame(user.screenName, name)
  }

  /// Returns whether two names are equal except for the case of ASCII letters, as with `NOCASE`.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
    return left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
  }

  /// Whether removed posts leave tombstones, so that a page that contains them does not restore them.
  var leavesTombstones: Bool {
    switch self {
    case .post, .author: true
    case .before, .everything: false
    }
  }

  /// Returns the earliest publication time of posts to store after the purge.
  func keepsFrom(at now: Timestamp) -> Timestamp? {
    switch self {
    case .post, .author: nil
    case .before(let moment): moment
    case .everything: now
    }
  }

  // MARK: The table of purges

  var stored: (kind: String, argument: String) {
    switch self {
    case .post(let id): ("post", id.text)
    case .author(let name): ("author", name)
    case .before(let moment): ("before", String(moment.milliseconds))
    case .everything: ("everything", "")
    }
  }

  init?(kind: String, argument: String) {
    switch kind {
    case "post": self = .post(PostID(argument))
    case "author": self = .author(argument)
    case "before":
      guard let milliseconds = Int64(argument) else { return nil }
      self = .before(Timestamp(milliseconds: milliseconds))
    case "everything": self = .everything
    default: return nil
    }
  }
}
