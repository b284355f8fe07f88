internal import JSON
internal import Timeline

/// A user object as far as it could be read.
struct TwitterUser {
  private var textID: String?
  private var plainID: String?
  private var screenName: String?
  private var name: String?
  private var secureAvatar: String?
  private var plainAvatar: String?

  /// Takes any value; what is no object has no members.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, member in
      switch member {
      case "id_str": textID = try cursor.lenientID() ?? textID
      case "id": plainID = try cursor.lenientID() ?? plainID
      case "screen_name": screenName = try cursor.lenientString() ?? screenName
      case "name": name = try cursor.lenientString() ?? name
      case "profile_image_url_https": secureAvatar = try cursor.lenientString() ?? secureAvatar
      case "profile_image_url": plainAvatar = try cursor.lenientString() ?? plainAvatar
      default: try cursor.skip()
      }
    }
  }

  /// The user, with empty texts for what is missing: an author that is half known is better than a lost post.
  var user: User {
    let screenName = screenName ?? ""
    return User(
      id: textID ?? plainID ?? "", screenName: screenName,
      name: name.map { HTMLText.decoded($0) } ?? screenName, avatarURL: secureAvatar ?? plainAvatar)
  }

  /// The user, when it is known who it is.
  var identified: User? { user.id.isEmpty || user.screenName.isEmpty ? nil : user }

  static var unknown: User { User(id: "", screenName: "", name: "") }
}
