internal import Storage
internal import Time
internal import Timeline

/// What a purge matches, and how it is stored.
extension Purge {
  /// The part of a post to remove.
  enum MatchedPart { case whole, quote, none }

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
