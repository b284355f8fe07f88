internal import JSON
internal import Time
internal import Timeline

/// A Status, or as much of it as could be read.
struct MastodonStatus {
  /// Statuses inside this one; `wrapped` is the one inside a quote.
  enum Inner { case boosted, quoted, wrapped }

  private(set) var id: String?
  private(set) var createdAt: Timestamp?
  private(set) var editedAt: Timestamp?
  private(set) var account: MastodonAccount?
  /// The content as HTML.
  private(set) var content: String?
  private(set) var warning: String?
  private(set) var language: String?
  private(set) var visibility: String?
  private(set) var repliedID: String?
  private(set) var repliedAccountID: String?
  private(set) var counts = Post.Counts()
  private(set) var media: [Media] = []
  private(set) var mentions: [MastodonMention] = []
  private(set) var poll: MastodonPoll?
  private(set) var inner: [Inner: MastodonStatus] = [:]
  /// The user's filters that match the post.
  private(set) var filters: [MastodonFilterResult] = []
  private var address: String?
  /// The ActivityPub id of the post.
  private(set) var identifier: String?
  /// The JSON of the whole object.
  private(set) var source: ArraySlice<UInt8> = []

  /// The post's own page: `url`, otherwise its ActivityPub id if that can be opened.
  var page: String? { WebAddress.checked(address) ?? WebAddress.checked(identifier) }

  /// Consumes any value, but reads members only from an object. The last usable value of a duplicate member is used.
  init(_ cursor: inout JSONCursor) throws {
    let start = try cursor.start()
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": id = try cursor.lenientPostID().map(MastodonID.canonical) ?? id
      case "created_at": createdAt = try cursor.lenientString().flatMap(Self.time) ?? createdAt
      case "edited_at": editedAt = try cursor.lenientString().flatMap(Self.time) ?? editedAt
      case "account": account = try cursor.peek() == .object ? MastodonAccount(&cursor) : skipping(&cursor, account)
      case "content": content = try cursor.lenientString() ?? content
      case "spoiler_text": warning = try cursor.lenientString() ?? warning
      case "language": language = try cursor.lenientString() ?? language
      case "visibility": visibility = try cursor.lenientString() ?? visibility
      case "in_reply_to_id": repliedID = try cursor.lenientID() ?? repliedID
      case "in_reply_to_account_id": repliedAccountID = try cursor.lenientID() ?? repliedAccountID
      case "replies_count": counts.replies = try cursor.lenientCount() ?? counts.replies
      case "reblogs_count": counts.reposts = try cursor.lenientCount() ?? counts.reposts
      case "favourites_count": counts.likes = try cursor.lenientCount() ?? counts.likes
      case "url": address = try cursor.lenientString() ?? address
      case "uri": identifier = try cursor.lenientString() ?? identifier
      case "media_attachments":
        try cursor.lenientElements { cursor in
          if let attachment = try MastodonAttachment(&cursor).media { media.append(attachment) }
        }
      case "mentions": try cursor.lenientElements { cursor in mentions.append(try MastodonMention(&cursor)) }
      case "poll": poll = try cursor.peek() == .object ? MastodonPoll(&cursor) : skipping(&cursor, poll)
      case "filtered": try cursor.lenientElements { cursor in filters.append(try MastodonFilterResult(&cursor)) }
      case "reblog": try readInner(.boosted, &cursor)
      case "quote": try readQuote(&cursor)
      case "quoted_status": try readInner(.wrapped, &cursor)
      case "pleroma": try readPleroma(&cursor)
      default: try cursor.skip()
      }
    }
    source = cursor.slice(from: start)
  }

  private func skipping<Value>(_ cursor: inout JSONCursor, _ value: Value) throws -> Value {
    try cursor.skip()
    return value
  }

  private mutating func readInner(_ role: Inner, _ cursor: inout JSONCursor) throws {
    if try cursor.peek() == .object { inner[role] = try MastodonStatus(&cursor) } else { try cursor.skip() }
  }

  /// Reads a quote. Mastodon 4.5 sends `{"state":"accepted","quoted_status":{…}}`; Fedibird and Akkoma send the status itself. An
  /// unaccepted or revoked quote contains no status.
  private mutating func readQuote(_ cursor: inout JSONCursor) throws {
    guard try cursor.peek() == .object else {
      try cursor.skip()
      return
    }
    let quote = try MastodonStatus(&cursor)
    inner[.quoted] = quote.inner[.wrapped] ?? (quote.id == nil ? nil : quote)
  }

  private mutating func readPleroma(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      if name == "quote", inner[.quoted] == nil { try readInner(.quoted, &cursor) } else { try cursor.skip() }
    }
  }

  /// Returns a time from 1970 to 9999; `nil` for other times.
  static func time(_ text: String) -> Timestamp? {
    guard let time = Timestamp(rfc3339: text), (0...253_402_300_799).contains(time.seconds) else { return nil }
    return time
  }
}
