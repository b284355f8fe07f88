internal import JSON
internal import Timeline

/// A user in the v2 API, or as much of it as could be read.
struct XUser {
  private(set) var id: String?
  private var userName: String?
  private var name: String?
  private var avatar: String?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, member in
      switch member {
      case "id": id = try cursor.lenientID() ?? id
      case "username": userName = try cursor.lenientString() ?? userName
      case "name": name = try cursor.lenientString() ?? name
      case "profile_image_url": avatar = try cursor.lenientString() ?? avatar
      default: try cursor.skip()
      }
    }
  }

  var user: User {
    let userName = userName ?? ""
    return User(
      id: id ?? "", screenName: userName, name: name.map { HTMLText.decoded($0) } ?? userName, avatarURL: avatar)
  }
}
