package import JSON
package import Time

extension PostJSON {
  /// Reads the result of `bytes(_:)`. Unknown members are skipped, and nullable members may be missing.
  package static func read(_ bytes: [UInt8]) throws(PublishedFormatError) -> Post {
    try whole(bytes) { cursor in try read(&cursor) }
  }

  /// Reads text that consists of one value.
  private static func whole<Value>(
    _ bytes: [UInt8], _ read: (inout JSONCursor) throws -> Value
  ) throws(PublishedFormatError) -> Value {
    try PublishedFormatError.wrapping {
      var cursor = JSONCursor(bytes)
      let value = try read(&cursor)
      try cursor.end()
      return value
    }
  }

  /// Reads a post as the next value.
  /// - Throws: `JSONError` or `PublishedFormatError`.
  package static func read(_ cursor: inout JSONCursor) throws -> Post {
    var fields = Fields()
    let start = try cursor.start()
    var language: String?
    var repostedBy: User?
    var inReplyTo: Post.Reply?
    var quoted: Post.Quote?
    var counts = Post.Counts()
    var editedAt: Timestamp?
    var filter: ServerFilter?
    var notice: Notice?
    try cursor.members { cursor, name in
      switch name {
      case "language": language = try cursor.stringOrNull()
      case "reposted_by": repostedBy = try cursor.null() ? nil : readUser(&cursor)
      case "in_reply_to": inReplyTo = try cursor.null() ? nil : readReply(&cursor)
      case "quoted": quoted = try cursor.null() ? nil : readQuote(&cursor)
      case "counts": counts = try cursor.null() ? Post.Counts() : readCounts(&cursor)
      case "edited_at": editedAt = try cursor.null() ? nil : readTime(name, &cursor)
      case "filtered": filter = try cursor.null() ? nil : readFilter(&cursor)
      case "notification": notice = try cursor.null() ? nil : readNotice(&cursor)
      default: try fields.take(name, &cursor)
      }
    }
    if let notice, fields.author == nil, fields.text == nil { return Post(event: notice) }
    return Post(
      id: try cursor.required(fields.id, "id", from: start),
      createdAt: try cursor.required(fields.createdAt, "created_at", from: start),
      author: try cursor.required(fields.author, "author", from: start),
      text: try cursor.required(fields.text, "text", from: start),
      url: fields.url, language: language, repostedBy: repostedBy, inReplyTo: inReplyTo, quoted: quoted,
      media: fields.media, counts: counts, editedAt: editedAt, filter: filter, notice: notice)
  }

  /// Reads the result of `bytes(of:)`.
  package static func readNotice(_ bytes: [UInt8]) throws(PublishedFormatError) -> Notice {
    try whole(bytes) { cursor in try readNotice(&cursor) }
  }

  /// Reads an event as the next value.
  package static func readNotice(_ cursor: inout JSONCursor) throws -> Notice {
    let start = try cursor.start()
    var id: String?
    var kind: String?
    var actors: [User] = []
    var group: String?
    var at: Timestamp?
    var text: String?
    try cursor.members { cursor, name in
      switch name {
      case "id": id = try cursor.string()
      case "kind": kind = try cursor.string()
      case "actors": actors = try cursor.null() ? [] : cursor.list(readUser)
      case "group": group = try cursor.stringOrNull()
      case "at": at = try readTime(name, &cursor)
      case "text": text = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    return Notice(
      id: PostID(try cursor.required(id, "id", from: start)), kind: try cursor.required(kind, "kind", from: start),
      actors: actors, group: group, at: try cursor.required(at, "at", from: start), text: text)
  }

  /// The members that posts and quoted posts have in common.
  private struct Fields {
    var id: PostID?
    var createdAt: Timestamp?
    var author: User?
    var text: String?
    var url: String?
    var media: [Media] = []

    mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws {
      switch name {
      case "id": id = PostID(try cursor.string())
      case "created_at": createdAt = try readTime(name, &cursor)
      case "author": author = try readUser(&cursor)
      case "text": text = try cursor.string()
      case "url": url = try cursor.stringOrNull()
      case "media": media = try cursor.null() ? [] : cursor.list(readMedia)
      default: try cursor.skip()
      }
    }
  }

  private static func readQuote(_ cursor: inout JSONCursor) throws -> Post.Quote {
    var fields = Fields()
    let start = try cursor.start()
    try cursor.members { cursor, name in try fields.take(name, &cursor) }
    return Post.Quote(
      id: try cursor.required(fields.id, "id", from: start),
      createdAt: try cursor.required(fields.createdAt, "created_at", from: start),
      author: try cursor.required(fields.author, "author", from: start),
      text: try cursor.required(fields.text, "text", from: start),
      url: fields.url, media: fields.media)
  }

  package static func readUser(_ cursor: inout JSONCursor) throws -> User {
    let start = try cursor.start()
    var id: String?
    var screenName: String?
    var displayName: String?
    var avatarURL: String?
    try cursor.members { cursor, name in
      switch name {
      case "id": id = try cursor.string()
      case "screen_name": screenName = try cursor.string()
      case "name": displayName = try cursor.string()
      case "avatar_url": avatarURL = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    return User(
      id: try cursor.required(id, "id", from: start),
      screenName: try cursor.required(screenName, "screen_name", from: start),
      name: try cursor.required(displayName, "name", from: start), avatarURL: avatarURL)
  }

  private static func readReply(_ cursor: inout JSONCursor) throws -> Post.Reply {
    let start = try cursor.start()
    var id: String?
    var screenName: String?
    try cursor.members { cursor, name in
      switch name {
      case "id": id = try cursor.string()
      case "screen_name": screenName = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    return Post.Reply(id: PostID(try cursor.required(id, "id", from: start)), screenName: screenName)
  }

  /// Reads a medium. A kind that a later version added is read as `other`.
  private static func readMedia(_ cursor: inout JSONCursor) throws -> Media {
    let start = try cursor.start()
    var kind: String?
    var url: String?
    var alternativeText: String?
    try cursor.members { cursor, name in
      switch name {
      case "type": kind = try cursor.string()
      case "url": url = try cursor.string()
      case "alt": alternativeText = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    return Media(
      kind: Media.Kind(rawValue: try cursor.required(kind, "type", from: start)) ?? .other,
      url: try cursor.required(url, "url", from: start),
      alternativeText: alternativeText)
  }

  /// Reads the effect of filters. An action that a later version added is read as a warning.
  private static func readFilter(_ cursor: inout JSONCursor) throws -> ServerFilter {
    let start = try cursor.start()
    var action: String?
    var title: String?
    try cursor.members { cursor, name in
      switch name {
      case "action": action = try cursor.string()
      case "title": title = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    return ServerFilter(
      ServerFilter.Action(rawValue: try cursor.required(action, "action", from: start)) ?? .warn, title: title ?? "")
  }

  private static func readCounts(_ cursor: inout JSONCursor) throws -> Post.Counts {
    var counts = Post.Counts()
    try cursor.members { cursor, name in
      switch name {
      case "replies": counts.replies = try readCount(&cursor)
      case "reposts": counts.reposts = try readCount(&cursor)
      case "likes": counts.likes = try readCount(&cursor)
      default: try cursor.skip()
      }
    }
    return counts
  }

  private static func readCount(_ cursor: inout JSONCursor) throws -> Int? {
    try cursor.null() ? nil : cursor.number().integer(in: 0...Int(JSONNumber.largest))
  }

  package static func readTime(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Timestamp {
    let start = try cursor.start()
    guard let time = Timestamp(rfc3339: try cursor.string()) else {
      throw PublishedFormatError.meaningless(
        name.text, expected: "a time such as 2026-11-20T16:00:00Z", cursor.position(of: start))
    }
    return time
  }
}

/// Positions for errors. They are computed only when needed, because each requires a scan from the beginning of the text.
extension JSONCursor {
  /// Returns the value of a mandatory member.
  /// - Parameter start: the offset of the object that contains the member.
  package func required<Value>(_ value: Value?, _ name: String, from start: Int) throws(PublishedFormatError) -> Value {
    guard let value else { throw .missing(name, position(of: start)) }
    return value
  }
}
