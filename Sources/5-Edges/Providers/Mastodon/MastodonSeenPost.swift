internal import JSON
internal import Posting
internal import Timeline

/// A Status, or as much of it as concerns actions.
struct MastodonSeenPost {
  private var id: String?
  private var author = MastodonAccount.unknown
  private var states: [PostAction.Kind: Bool] = [:]

  /// The boosted status.
  private final class Inner {
    let post: MastodonSeenPost
    init(_ post: MastodonSeenPost) { self.post = post }
  }

  private var original: Inner?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": id = try cursor.lenientPostID().map(MastodonID.canonical) ?? id
      case "account": author = try MastodonAccount(&cursor).user
      case "reblog": if try cursor.peek() == .object { original = Inner(try Self(&cursor)) } else { try cursor.skip() }
      case "reblogged": states[.repost] = try cursor.lenientBoolean()
      case "favourited": states[.like] = try cursor.lenientBoolean()
      case "bookmarked": states[.bookmark] = try cursor.lenientBoolean()
      default: try cursor.skip()
      }
    }
  }

  /// The post; `nil` without an id. Servers report the states of a boost in the boost, in the original, or in both.
  var seen: SeenPost? {
    guard let identity else { return nil }
    let inner = original?.post
    return SeenPost(
      identity, reposting: inner?.identity, states: states.merging(inner?.states ?? [:]) { $0 || $1 })
  }

  private var identity: SeenPost.Identity? {
    id.map {
      SeenPost.Identity(
        id: $0, authorID: author.id.isEmpty ? nil : author.id,
        authorName: author.screenName.isEmpty ? nil : author.screenName)
    }
  }
}
