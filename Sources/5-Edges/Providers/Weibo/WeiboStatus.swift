internal import JSON
internal import Time
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
