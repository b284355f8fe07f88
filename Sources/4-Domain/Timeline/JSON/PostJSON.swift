internal import JSON
package import Time

/// A post's compact JSON form in the published file and in the account's database.
///
/// Times are written in whole seconds. All other values are the same when read back. A member without a value is left out. This makes a
/// timeline of 800 posts an eighth smaller; each new post rewrites the whole timeline.
package enum PostJSON {
  /// Returns the post on one line, without a line feed.
  package static func bytes(_ post: Post) -> [UInt8] {
    // This is enough for most posts.
    var writer = JSONWriter(capacity: 1024)
    write(post, to: &writer)
    return writer.bytes
  }

  /// Returns the post with the time of its last edit, on one line.
  /// - Parameter json: the result of `bytes(_:)` for a post without such a time.
  package static func bytes(_ json: [UInt8], editedAt: Timestamp) -> [UInt8] {
    JSONWriter.extended(json) { $0.member("edited_at", editedAt.rfc3339) }
  }

  /// Returns the post with the event that the timeline contains it for, on one line.
  /// - Parameters:
  ///   - json: a post without an event, with the time of its last edit if there was one.
  ///   - notice: the result of `bytes(of:)`.
  package static func bytes(_ json: [UInt8], notice: [UInt8]) -> [UInt8] {
    JSONWriter.extended(json) { writer in
      writer.name("notification")
      writer.raw(notice)
    }
  }

  /// Returns an event that is about no post, like `bytes(of:)` of ``Post/init(event:)``, without reading the event.
  /// - Parameters:
  ///   - notice: the result of `bytes(of:)`.
  ///   - id: the event's id.
  ///   - time: the time of the event.
  package static func bytes(ofEvent notice: [UInt8], _ id: PostID, at time: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id.text)
      writer.member("created_at", time.rfc3339)
      writer.name("notification")
      writer.raw(notice)
    }
    return writer.bytes
  }

  /// Returns an event on one line.
  package static func bytes(of notice: Notice) -> [UInt8] {
    var writer = JSONWriter()
    writeNotice(to: &writer, notice)
    return writer.bytes
  }

  /// Writes the post as the next value. An event without a post has only the members that are not about a post.
  static func write(_ post: Post, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", post.id.text)
      writer.member("created_at", post.createdAt.rfc3339)
      if !post.isEventOnly { writeContent(of: post, to: &writer) }
      // `bytes(_:notice:)` appends this member.
      writer.optional("notification", post.notice, writeNotice)
    }
  }

  private static func writeContent(of post: Post, to writer: inout JSONWriter) {
    writer.member("author", post.author, writeUser)
    writer.member("text", post.text)
    writer.optional("url", post.url)
    writer.optional("language", post.language)
    writer.optional("reposted_by", post.repostedBy, writeUser)
    writer.optional("in_reply_to", post.inReplyTo, writeReply)
    writer.optional("quoted", post.quoted, writeQuote)
    writer.member("media", list: post.media, writeMedia)
    writer.member("counts", post.counts, writeCounts)
    writer.optional("filtered", post.filter, writeFilter)
    // This is the last member about the post itself, because `bytes(_:editedAt:)` appends it.
    writer.optional("edited_at", post.editedAt?.rfc3339)
  }

  private static func writeUser(to writer: inout JSONWriter, _ user: User) {
    writer.object { writer in
      writer.member("id", user.id)
      writer.member("screen_name", user.screenName)
      writer.member("name", user.name)
      writer.optional("avatar_url", user.avatarURL)
    }
  }

  private static func writeReply(to writer: inout JSONWriter, _ reply: Post.Reply) {
    writer.object { writer in
      writer.member("id", reply.id.text)
      writer.optional("screen_name", reply.screenName)
    }
  }

  private static func writeQuote(to writer: inout JSONWriter, _ quote: Post.Quote) {
    writer.object { writer in
      writer.member("id", quote.id.text)
      writer.member("created_at", quote.createdAt.rfc3339)
      writer.member("author", quote.author, writeUser)
      writer.member("text", quote.text)
      writer.optional("url", quote.url)
      writer.member("media", list: quote.media, writeMedia)
    }
  }

  private static func writeMedia(to writer: inout JSONWriter, _ media: Media) {
    writer.object { writer in
      writer.member("type", media.kind.rawValue)
      writer.member("url", media.url)
      writer.optional("alt", media.alternativeText)
    }
  }

  private static func writeFilter(to writer: inout JSONWriter, _ filter: ServerFilter) {
    writer.object { writer in
      writer.member("action", filter.action.rawValue)
      writer.member("title", filter.title)
    }
  }

  private static func writeNotice(to writer: inout JSONWriter, _ notice: Notice) {
    writer.object { writer in
      writer.member("id", notice.id.text)
      writer.member("kind", notice.kind)
      writer.member("actors", list: notice.actors, writeUser)
      writer.optional("group", notice.group)
      writer.member("at", notice.at.rfc3339)
      writer.optional("text", notice.text)
    }
  }

  private static func writeCounts(to writer: inout JSONWriter, _ counts: Post.Counts) {
    writer.object { writer in
      writer.optional("replies", counts.replies)
      writer.optional("reposts", counts.reposts)
      writer.optional("likes", counts.likes)
    }
  }
}

extension JSONWriter {
  /// Writes a member unless it has no value.
  fileprivate mutating func optional(_ name: String, _ text: String?) { if let text { member(name, text) } }

  fileprivate mutating func optional(_ name: String, _ count: Int?) { if let count { member(name, count) } }

  fileprivate mutating func optional<Value>(
    _ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
  ) {
    if let value { member(name, value, write) }
  }
}

/// A post's additional members in a list of several accounts' posts.
extension PostJSON {
  package struct Origin: Sendable, Hashable {
    /// The account that received the post; `nil` if it is not stated.
    package var account: String?
    /// Whether the post is unread; `nil` if it is not stated. The file's head then contains the number of unread posts.
    package var isUnread: Bool?
    /// The addresses of the same post in other accounts.
    package var alsoAt: [String]

    package init(account: String? = nil, isUnread: Bool? = nil, alsoAt: [String] = []) {
      self.account = account
      self.isUnread = isUnread
      self.alsoAt = alsoAt
    }
  }

  /// Returns the post with its account as the last member.
  package static func bytes(_ json: [UInt8], account: String) -> [UInt8] {
    JSONWriter.extended(json) { $0.member("account", account) }
  }

  package static func origin(of json: [UInt8]) -> Origin {
    var origin = Origin()
    var cursor = JSONCursor(json)
    // A member of a different type is ignored.
    try? cursor.members { cursor, name in
      switch (name, try cursor.peek()) {
      case ("account", .string): origin.account = try cursor.string()
      case ("unread", .boolean): origin.isUnread = try cursor.boolean()
      case ("also_at", .array):
        try cursor.elements { cursor in
          if case .string = try cursor.peek() { origin.alsoAt.append(try cursor.string()) } else { try cursor.skip() }
        }
      default: try cursor.skip()
      }
    }
    return origin
  }
}
