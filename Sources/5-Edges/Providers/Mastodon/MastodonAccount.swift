internal import JSON
internal import Timeline

/// An Account (or CredentialAccount), or as much of it as could be read.
struct MastodonAccount {
  private(set) var id: String?
  private var address: String?
  private var userName: String?
  private var displayName: String?
  private var stillAvatar: String?
  private var avatar: String?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": id = try cursor.lenientID() ?? id
      case "acct": address = try cursor.lenientString() ?? address
      case "username": userName = try cursor.lenientString() ?? userName
      case "display_name": displayName = try cursor.lenientString() ?? displayName
      case "avatar_static": stillAvatar = try cursor.lenientString() ?? stillAvatar
      case "avatar": avatar = try cursor.lenientString() ?? avatar
      default: try cursor.skip()
      }
    }
  }

  /// The user, with empty strings for missing members: an incomplete author is better than a lost post.
  ///
  /// The screen name is `acct`, which includes the host for users on other servers. Custom emoji are kept as `:code:`.
  var user: User {
    let screenName = [address, userName].lazy.compactMap { $0 }.first { !$0.isEmpty } ?? ""
    let name = displayName.flatMap { $0.isEmpty ? nil : $0 } ?? screenName
    return User(
      id: id ?? "", screenName: screenName, name: name,
      avatarURL: WebAddress.checked(stillAvatar) ?? WebAddress.checked(avatar))
  }

  /// The user; `nil` if incomplete.
  var identified: User? { user.id.isEmpty || user.screenName.isEmpty ? nil : user }

  static var unknown: User { User(id: "", screenName: "", name: "") }
}
