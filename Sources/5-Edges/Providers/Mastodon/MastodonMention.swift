internal import JSON

/// A user mentioned in a post.
struct MastodonMention {
  private(set) var id: String?
  private(set) var url: String?
  private(set) var userName = ""
  /// The address: `user` for users on the same server, otherwise `user@host`.
  private(set) var address = ""

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": id = try cursor.lenientID() ?? id
      case "url": url = try cursor.lenientString() ?? url
      case "username": userName = try cursor.lenientString() ?? userName
      case "acct": address = try cursor.lenientString() ?? address
      default: try cursor.skip()
      }
    }
  }
}
