internal import CivilTime
internal import JSON
internal import Timeline

/// A Weibo post, or as much of it as could be read.
struct WeiboStatus {
  private var ids: [String: String] = [:]
  private(set) var createdAt: Timestamp?
  private(set) var user: User?
  private(set) var text: String?
  /// Whether `text` is only the beginning.
  private(set) var isCut = false
  private(set) var counts = Post.Counts()
  private(set) var pictures = WeiboPictures()
  private var replyID: String?
  private var replyScreenName: String?
  private var inner: [WeiboStatus] = []
  /// Whether Weibo reports the post as deleted, with `1`, with `"1"` or with `true`.
  private(set) var isDeleted = false
  /// The JSON of the whole object.
  private(set) var source: ArraySlice<UInt8> = []

  /// The id, a decimal number of any length, as written.
  var id: String? { ["idstr", "mid", "id"].lazy.compactMap { ids[$0] }.first(where: DecimalID.isDecimal) }

  /// The original of a repost, which has its own text.
  var original: WeiboStatus? { inner.last }

  var reply: Post.Reply? {
    replyID.flatMap {
      DecimalID.isDecimal($0) && $0 != "0" ? Post.Reply(id: PostID($0), screenName: replyScreenName) : nil
    }
  }

  /// Consumes any value, but reads members only from an object. The last usable value of a duplicate member is used.
  init(_ cursor: inout JSONCursor) throws {
    let start = try cursor.start()
    try cursor.lenientMembers { cursor, name in
      if try pictures.take(name, &cursor) { return }
      switch name {
      case "idstr", "mid", "id": ids[name.text] = try cursor.lenientID() ?? ids[name.text]
      case "created_at": createdAt = try cursor.lenientString().flatMap(Self.time) ?? createdAt
      case "user": user = try WeiboUser(&cursor).user ?? user
      case "text": text = try cursor.lenientString() ?? text
      case "isLongText", "truncated": isCut = try cursor.lenientFlag() || isCut
      case "deleted": isDeleted = try Self.says(&cursor) || isDeleted
      case "comments_count": counts.replies = try cursor.lenientCount() ?? counts.replies
      case "reposts_count": counts.reposts = try cursor.lenientCount() ?? counts.reposts
      case "attitudes_count": counts.likes = try cursor.lenientCount() ?? counts.likes
      case "in_reply_to_status_id": replyID = try cursor.lenientID() ?? replyID
      case "in_reply_to_screen_name":
        replyScreenName = try cursor.lenientString().flatMap { $0.isEmpty ? nil : $0 } ?? replyScreenName
      case "retweeted_status":
        if try cursor.peek() == .object { inner = [try WeiboStatus(&cursor)] } else { try cursor.skip() }
      default: try cursor.skip()
      }
    }
    source = cursor.slice(from: start)
  }

  private static func says(_ cursor: inout JSONCursor) throws -> Bool {
    if try cursor.peek() == .boolean { return try cursor.boolean() }
    return try cursor.lenientID() == "1"
  }

  /// Returns a time from 1970 to 9999; `nil` for other times.
  private static func time(_ text: String) -> Timestamp? {
    guard let time = Timestamp(twitterDate: text), (0...253_402_300_799).contains(time.seconds) else { return nil }
    return time
  }
}

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

/// The pictures in a post. Weibo lists their small versions.
struct WeiboPictures {
  private var thumbnails: [String] = []
  private var original: String?
  private var middle: String?
  private var small: String?

  /// Reads the value of a member that belongs to a post's pictures.
  /// - Returns: false for any other member, which is not consumed.
  mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Bool {
    switch name {
    case "pic_urls": try cursor.lenientElements { cursor in try takeListed(&cursor) }
    case "original_pic": original = try cursor.lenientString() ?? original
    case "bmiddle_pic": middle = try cursor.lenientString() ?? middle
    case "thumbnail_pic": small = try cursor.lenientString() ?? small
    default: return false
    }
    return true
  }

  /// The pictures, each in the largest known size.
  var media: [Media] {
    let single = [original, middle, small].lazy.compactMap { $0 }.first { !$0.isEmpty }
    let addresses = thumbnails.count > 1 ? thumbnails.map(Self.large) : [single ?? thumbnails.first.map(Self.large)]
    return addresses.compactMap { $0 }.map { Media(kind: .photo, url: $0) }
  }

  private mutating func takeListed(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      guard name == "thumbnail_pic" else {
        try cursor.skip()
        return
      }
      if let address = try cursor.lenientString(), !address.isEmpty { thumbnails.append(address) }
    }
  }

  /// Returns the large version of a picture, which is in another folder on the picture server. Pictures on other servers are not changed.
  private static func large(_ thumbnail: String) -> String {
    let parts = thumbnail.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[1].isEmpty, parts[2].hasSuffix(".sinaimg.cn"), parts[3] == "thumbnail" else {
      return thumbnail
    }
    return "\(parts[0])//\(parts[2])/large/\(parts[4])"
  }
}
