internal import JSON
internal import Timeline

/// A Weibo user, or as much of it as could be read. Screen names are often Chinese.
struct WeiboUser {
  private var textID: String?
  private var numericID: String?
  private var screenName: String?
  private var name: String?
  /// The avatar that is 180 pixels wide.
  private var largeAvatar: String?
  /// The avatar that is 50 pixels wide.
  private var smallAvatar: String?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, member in
      switch member {
      case "idstr": textID = try cursor.lenientID() ?? textID
      case "id": numericID = try cursor.lenientID() ?? numericID
      case "screen_name": screenName = try cursor.lenientString() ?? screenName
      case "name": name = try cursor.lenientString() ?? name
      case "avatar_large": largeAvatar = try Self.address(&cursor) ?? largeAvatar
      case "profile_image_url": smallAvatar = try Self.address(&cursor) ?? smallAvatar
      default: try cursor.skip()
      }
    }
  }

  /// The user; `nil` if incomplete.
  var user: User? {
    guard let id = [textID, numericID].lazy.compactMap({ $0 }).first(where: DecimalID.isDecimal),
      let screenName = screenName ?? name, !screenName.isEmpty
    else { return nil }
    return User(
      id: id, screenName: screenName, name: HTMLText.decoded(name ?? screenName), avatarURL: largeAvatar ?? smallAvatar)
  }

  private static func address(_ cursor: inout JSONCursor) throws -> String? {
    try cursor.lenientString().flatMap { $0.isEmpty ? nil : $0 }
  }
}
