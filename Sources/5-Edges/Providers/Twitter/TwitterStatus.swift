internal import JSON
internal import Time
internal import Timeline

/// A status object in the v1.1 API, or as much of it as could be read.
struct TwitterStatus {
  /// A status inside another one. As an object, it is read without being copied.
  final class Inner {
    let status: TwitterStatus

    init(_ status: TwitterStatus) { self.status = status }
  }

  private var textID: String?
  private var plainID: String?
  private(set) var createdAt: Timestamp?
  private(set) var user: User?
  private(set) var text = TwitterText()
  /// The whole text of a post truncated in compatibility mode.
  private(set) var extended: TwitterText?
  private(set) var isTruncated = false
  private(set) var language: String?
  private var textReplyID: String?
  private var plainReplyID: String?
  private var replyScreenName: String?
  private(set) var counts = Post.Counts()
  private(set) var attachments: [Media] = []
  private(set) var reposted: Inner?
  private(set) var quoted: Inner?
  /// The link in the text that leads to the quoted post.
  private(set) var quoteLink: String?
  private var externalAddress: String?
  private var webAddress: String?
  private var identity: String?
  private var hasStatusNetHTML = false
  private var hasFriendicaMembers = false
  /// Whether the post comes from GNU social (or StatusNet, its former name). Friendica writes the same members and some additional ones.
  var isGNUSocial: Bool { hasStatusNetHTML && !hasFriendicaMembers }
  /// The JSON of the whole object.
  private(set) var source: ArraySlice<UInt8> = []

  var id: String? { textID ?? plainID }

  /// The post's own page, if the server sends it: `external_url` (GNU social, Friendica), otherwise `url` or `uri`.
  var address: String? { externalAddress ?? webAddress ?? identity }

  var reply: Post.Reply? {
    (textReplyID ?? plainReplyID).map { Post.Reply(id: PostID($0), screenName: replyScreenName) }
  }

  private enum Member: String, CaseIterable {
    case textID = "id_str"
    case plainID = "id"
    case createdAt = "created_at"
    case user
    case fullText = "full_text"
    case text
    case entities
    case extendedEntities = "extended_entities"
    case isTruncated = "truncated"
    case extended = "extended_tweet"
    case language = "lang"
    case textReplyID = "in_reply_to_status_id_str"
    case plainReplyID = "in_reply_to_status_id"
    case replyScreenName = "in_reply_to_screen_name"
    case replies = "reply_count"
    case reposts = "retweet_count"
    case likes = "favorite_count"
    case reposted = "retweeted_status"
    case quoted = "quoted_status"
    case quoteLink = "quoted_status_permalink"
    case externalAddress = "external_url"
    case webAddress = "url"
    case identity = "uri"
    case statusNetHTML = "statusnet_html"
    case friendicaActivities = "friendica_activities"
    case attachments
  }

  private static let names = JSONNames<Member>()

  /// Consumes any value, but reads members only from an object. The last usable value of a duplicate member is used.
  init(_ cursor: inout JSONCursor) throws {
    let start = try cursor.start()
    var spareID = SpareMember()
    var spareReplyID = SpareMember()
    try cursor.lenientMembers(Self.names) { cursor, member in
      switch member {
      case .textID: textID = try cursor.lenientPostID() ?? textID
      case .plainID: try spareID.skip(&cursor) { try $0.lenientPostID() }
      case .createdAt: createdAt = try UndecodedString(&cursor).flatMap(Self.time) ?? createdAt
      case .user: user = try cursor.peek() == .object ? TwitterUser(&cursor).user : skipping(&cursor, user)
      case .fullText: try text.read(.full, &cursor)
      case .text: try text.read(.compatible, &cursor)
      case .entities: try text.read(.entities, &cursor)
      case .extendedEntities: try text.read(.extendedEntities, &cursor)
      case .isTruncated: isTruncated = try cursor.lenientFlag()
      case .extended: try readExtended(&cursor)
      case .language: language = try cursor.lenientString() ?? language
      case .textReplyID: textReplyID = try cursor.lenientID() ?? textReplyID
      case .plainReplyID: try spareReplyID.skip(&cursor) { try $0.lenientID() }
      case .replyScreenName: replyScreenName = try cursor.lenientString() ?? replyScreenName
      case .replies: counts.replies = try cursor.lenientCount() ?? counts.replies
      case .reposts: counts.reposts = try cursor.lenientCount() ?? counts.reposts
      case .likes: counts.likes = try cursor.lenientCount() ?? counts.likes
      case .reposted: reposted = try inner(&cursor) ?? reposted
      case .quoted: quoted = try inner(&cursor) ?? quoted
      case .quoteLink: try readQuoteLink(&cursor)
      case .externalAddress: externalAddress = try address(&cursor) ?? externalAddress
      case .webAddress: webAddress = try address(&cursor) ?? webAddress
      case .identity: identity = try address(&cursor) ?? identity
      case .statusNetHTML: hasStatusNetHTML = try skipping(&cursor, true)
      case .friendicaActivities: hasFriendicaMembers = try skipping(&cursor, true)
      case .attachments:
        try cursor.lenientElements { cursor in
          if let media = try TwitterMedia.attachment(&cursor) { attachments.append(media) }
        }
      }
    }
    if textID == nil { plainID = try spareID.value(cursor) { try $0.lenientPostID() } }
    if textReplyID == nil { plainReplyID = try spareReplyID.value(cursor) { try $0.lenientID() } }
    try text.finish(&cursor)
    source = cursor.slice(from: start)
  }

  private func skipping<Value>(_ cursor: inout JSONCursor, _ value: Value) throws -> Value {
    try cursor.skip()
    return value
  }

  private func inner(_ cursor: inout JSONCursor) throws -> Inner? {
    try cursor.peek() == .object ? Inner(TwitterStatus(&cursor)) : skipping(&cursor, nil)
  }

  private func address(_ cursor: inout JSONCursor) throws -> String? {
    guard let text = try cursor.lenientString(), text.hasPrefix("https://") || text.hasPrefix("http://") else {
      return nil
    }
    return text
  }

  private mutating func readExtended(_ cursor: inout JSONCursor) throws {
    guard try cursor.peek() == .object else {
      try cursor.skip()
      return
    }
    var text = TwitterText()
    try cursor.lenientMembers(TwitterText.names) { cursor, member in try text.read(member, &cursor) }
    try text.finish(&cursor)
    extended = text
  }

  private mutating func readQuoteLink(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      if name == "url" { quoteLink = try cursor.lenientString() ?? quoteLink } else { try cursor.skip() }
    }
  }

  /// Twitter's own format, or RFC 3339 as written by newer servers. Only times from 1970 to 9999 are accepted.
  private static func time(_ text: UndecodedString) -> Timestamp? {
    let twitterDate = text.plain.flatMap { Timestamp(twitterDate: $0) }
    guard let time = twitterDate ?? Timestamp(twitterDate: text.decoded) ?? Timestamp(rfc3339: text.decoded) else {
      return nil
    }
    return (0...253_402_300_799).contains(time.seconds) ? time : nil
  }
}
