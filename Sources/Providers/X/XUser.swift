internal import JSON
internal import Timeline

/// A user of the API v2 as far as it could be read.
struct XUser {
  private(set) var id: String?
  private var userName: String?
  private var name: String?
  private var avatar: String?

  /// Takes any value; what is no object has no members.
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

/// The answer of `users/me`: a user under `data`.
struct XUserAnswer {
  /// `nil` unless it is known who it is.
  private(set) var user: User?

  init(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      guard name == "data" else {
        try cursor.skip()
        return
      }
      let found = try XUser(&cursor).user
      user = found.id.isEmpty || found.screenName.isEmpty ? nil : found
    }
  }
}
