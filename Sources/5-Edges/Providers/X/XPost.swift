internal import JSON
internal import Time
internal import Timeline

/// A post in the v2 API, or as much of it as could be read, with the old or the new member names.
struct XPost {
  /// How a post refers to another one.
  enum Reference: String { case reposted = "retweeted", quoted, repliedTo = "replied_to" }

  private var textID: String?
  private(set) var text: String?
  /// The whole text of a long post.
  private(set) var note: String?
  private(set) var authorID: String?
  private var writtenAt: Timestamp?
  private(set) var language: String?
  private(set) var references: [Reference: String] = [:]
  private(set) var mediaKeys: [String] = []
  private(set) var links: [TwitterText.Link] = []
  private(set) var counts = Post.Counts()
  /// The ids of all versions of the post.
  private var history: [String] = []
  /// The JSON of the whole object.
  private(set) var source: ArraySlice<UInt8> = []

  /// Consumes any value, but reads members only from an object. The last usable value of a duplicate member is used.
  init(_ cursor: inout JSONCursor) throws {
    let start = try cursor.start()
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": textID = try cursor.lenientID() ?? textID
      case "text": text = try cursor.lenientString() ?? text
      case "note_tweet", "note_post": try readNote(&cursor)
      case "author_id": authorID = try cursor.lenientID() ?? authorID
      case "created_at": writtenAt = try cursor.lenientString().flatMap(Self.time) ?? writtenAt
      case "lang": language = try cursor.lenientString() ?? language
      case "referenced_tweets", "referenced_posts":
        try cursor.lenientElements { cursor in try readReference(&cursor) }
      case "attachments": try readAttachments(&cursor)
      case "entities": try readEntities(&cursor)
      case "public_metrics": try readCounts(&cursor)
      case "edit_history_tweet_ids", "edit_history_post_ids":
        try cursor.lenientElements { cursor in if let id = try cursor.lenientID() { history.append(id) } }
      default: try cursor.skip()
      }
    }
    source = cursor.slice(from: start)
  }

  /// The id, a decimal number like all of X's ids; `nil` for anything else.
  var id: String? { textID.flatMap { DecimalID.isDecimal($0) ? $0 : nil } }

  /// The key of the first version, so that a later version takes the same position.
  var key: PostKey? {
    ([id].compactMap { $0 } + history).compactMap { PostKey(decimal: PostID($0)) }.min()
  }

  /// The time when the post was written, according to X, or otherwise according to its id.
  var createdAt: Timestamp? { writtenAt ?? id.flatMap { Snowflake.time(of: $0) } }

  /// The time when this version was written; `nil` for the first version. Each version has its own id, which contains the time.
  var editedAt: Timestamp? {
    guard let id, let own = PostKey(decimal: PostID(id)), let key, key < own else { return nil }
    return Snowflake.time(of: id)
  }

  private mutating func readNote(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "text": note = try cursor.lenientString() ?? note
      case "entities": try readEntities(&cursor)
      default: try cursor.skip()
      }
    }
  }

  private mutating func readReference(_ cursor: inout JSONCursor) throws {
    var role: Reference?
    var id: String?
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "type": role = try cursor.lenientString().flatMap(Self.role)
      case "id": id = try cursor.lenientID()
      default: try cursor.skip()
      }
    }
    if let role, let id { references[role] = id }
  }

  /// Both old and new member values are read, because some new ones are undocumented.
  private static func role(_ text: String) -> Reference? {
    text == "reposted" ? .reposted : Reference(rawValue: text)
  }

  private mutating func readAttachments(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      guard name == "media_keys" else {
        try cursor.skip()
        return
      }
      try cursor.lenientElements { cursor in if let key = try cursor.lenientID() { mediaKeys.append(key) } }
    }
  }

  private mutating func readEntities(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      guard name == "urls" else {
        try cursor.skip()
        return
      }
      try cursor.lenientElements { cursor in
        if let link = try TwitterText.Link(&cursor), links.count < TwitterText.linkLimit { links.append(link) }
      }
    }
  }

  private mutating func readCounts(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "reply_count": counts.replies = try cursor.lenientCount() ?? counts.replies
      case "retweet_count", "repost_count": counts.reposts = try cursor.lenientCount() ?? counts.reposts
      case "like_count": counts.likes = try cursor.lenientCount() ?? counts.likes
      default: try cursor.skip()
      }
    }
  }

  /// Returns a time from 1970 to 9999; `nil` for other times.
  private static func time(_ text: String) -> Timestamp? {
    guard let time = Timestamp(rfc3339: text), (0...253_402_300_799).contains(time.seconds) else { return nil }
    return time
  }
}
