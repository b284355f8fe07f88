internal import JSON

/// Somebody who is named in a post.
struct MastodonMention {
  private(set) var id: String?
  private(set) var url: String?
  private(set) var userName = ""
  /// `user` for those of the same server, else `user@host`.
  private(set) var address = ""

  /// Takes any value; what is no object has no members.
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
