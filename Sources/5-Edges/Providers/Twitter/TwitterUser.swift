internal import JSON
internal import Timeline

/// A user object, or as much of it as could be read.
struct TwitterUser {
  private var textID: String?
  private var plainID: String?
  private var screenName: String?
  private var name: String?
  private var secureAvatar: String?
  private var plainAvatar: String?

  private enum Member: String, CaseIterable {
    case textID = "id_str"
    case plainID = "id"
    case screenName = "screen_name"
    case name
    case secureAvatar = "profile_image_url_https"
    case plainAvatar = "profile_image_url"
  }

  private static let names = JSONNames<Member>()

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    var spareID = SpareMember()
    var spareAvatar = SpareMember()
    try cursor.lenientMembers(Self.names) { cursor, member in
      switch member {
      case .textID: textID = try cursor.lenientID() ?? textID
      case .plainID: try spareID.skip(&cursor) { try $0.lenientID() }
      case .screenName: screenName = try cursor.lenientString() ?? screenName
      case .name: name = try cursor.lenientString() ?? name
      case .secureAvatar: secureAvatar = try cursor.lenientString() ?? secureAvatar
      case .plainAvatar: try spareAvatar.skip(&cursor) { try $0.lenientString() }
      }
    }
    if textID == nil { plainID = try spareID.value(cursor) { try $0.lenientID() } }
    if secureAvatar == nil { plainAvatar = try spareAvatar.value(cursor) { try $0.lenientString() } }
  }

  /// The user, with empty strings for missing members: an incomplete author is better than a lost post.
  var user: User {
    let screenName = screenName ?? ""
    return User(
      id: textID ?? plainID ?? "", screenName: screenName,
      name: name.map { HTMLText.decoded($0) } ?? screenName, avatarURL: secureAvatar ?? plainAvatar)
  }

  /// The user; `nil` if incomplete.
  var identified: User? { user.id.isEmpty || user.screenName.isEmpty ? nil : user }

  static var unknown: User { User(id: "", screenName: "", name: "") }
}
