internal import HTTP
internal import JSON
internal import Time

/// The posts that the user has published with X's v2 API, under the rules for self-serve applications.
struct V2Publications: Sendable {
  /// The maximum length of a post in characters. The real X weights them.
  private static let longest = 280

  /// The posts, oldest first, including reposts.
  private(set) var posts: [SandboxPost] = []
  /// The texts of all posts, including deleted ones: X refuses text that has already been published.
  private var usedTexts: Set<String> = []
  private(set) var bookmarks: Set<UInt64> = []
  var uploads = V2Uploads()

  /// Returns the posts between two ids (exclusive), newest first.
  func versions(since: UInt64?, until: UInt64?, withReposts: Bool = true) -> [PostVersion] {
    posts.reversed()
      .filter { $0.id > since ?? 0 && $0.id < until ?? .max && (withReposts || $0.isOriginal) }
      .map { PostVersion(id: $0.id, post: $0) }
  }

  /// Publishes a post (`POST /2/tweets`).
  /// - Parameter timeline: finds another user's post by its id.
  mutating func publish(
    _ request: Request, at now: Timestamp, timeline: (UInt64) -> SandboxPost?
  ) throws(V2Error) -> Response {
    let draft = try V2Draft(request)
    if draft.quotes { throw .forbidden("Quoting Posts is not permitted for self-serve applications.") }
    guard !draft.text.isEmpty || !draft.media.isEmpty else { throw .badBody("You must provide either text or media.") }
    guard draft.text.count <= Self.longest else { throw .badBody("The text of your Tweet is too long.") }
    guard draft.text.isEmpty || !usedTexts.contains(draft.text) else {
      throw .forbidden("You are not allowed to create a Tweet with duplicate content.")
    }
    var post = SandboxPost(
      id: nextID(at: now), createdAt: now, author: .mira, pieces: Self.pieces(of: draft.text),
      reposts: 0, likes: 0)
    if let reply = draft.replyTo {
      guard let id = UInt64(reply), let target = posts.first(where: { $0.id == id }) ?? timeline(id) else {
        throw .badBody("Reply to a Tweet that is deleted or not visible to you is not allowed.")
      }
      guard target.author.id == Author.mira.id || target.mentionsUser else {
        throw .forbidden("Reply to this conversation is not allowed because you have not been mentioned.")
      }
      post.reply = (id, target.author)
      if target.author.id != Author.mira.id { post.pieces = [.mention(target.author), .plain(" ")] + post.pieces }
    }
    post.attachments = try uploads.attach(draft.media, at: now)
    if !post.attachments.isEmpty {
      // One link for all files.
      if !post.pieces.isEmpty { post.pieces.append(.plain(" ")) }
      post.pieces.append(.media(short: "https://t.co/m\(post.id % 1_000_000_000)"))
    }
    posts.append(post)
    usedTexts.insert(draft.text)
    let text = PostText(post.pieces).text
    return Self.response(StatusCode(201)) { json in
      json.member("id", String(post.id))
      json.member("text", text)
      json.member("edit_history_tweet_ids", list: [post.id]) { $0.string(String($1)) }
    }
  }

  /// Deletes one of the user's posts (`DELETE /2/tweets/ID`).
  mutating func delete(_ request: Request) throws(V2Error) -> Response {
    let id = request.lastNumber
    guard posts.contains(where: { $0.id == id }) else { throw .notFound }
    posts.removeAll { $0.id == id }
    return Self.response { $0.member("deleted", true) }
  }

  /// Reposts or bookmarks a post, or undoes a repost or bookmark. Repeating a request changes nothing.
  mutating func perform(
    _ request: Request, _ route: TwitterRoute, by user: Author, at now: Timestamp, timeline: (UInt64) -> SandboxPost?
  ) throws(V2Error) -> Response {
    try user.check(request)
    let isUndone = request.method == .delete
    let named = isUndone ? request.lastNumber : try V2Draft.postID(in: request)
    guard let named, let post = posts.first(where: { $0.id == named }) ?? timeline(named) else { throw .notFound }
    if route == .bookmarks {
      if isUndone { bookmarks.remove(named) } else { bookmarks.insert(named) }
      return Self.response { $0.member("bookmarked", !isUndone) }
    }
    posts.removeAll { if case .reposted(let original) = $0.companion { original.id == named } else { false } }
    if !isUndone {
      var repost = SandboxPost(
        id: nextID(at: now), createdAt: now, author: .mira, pieces: [], reposts: 0, likes: 0)
      repost.companion = .reposted(post)
      posts.append(repost)
    }
    return Self.response { $0.member("retweeted", !isUndone) }
  }

  private func nextID(at now: Timestamp) -> UInt64 { max(PostCalendar.id(at: now, 0), (posts.last?.id ?? 0) + 1) }

  /// Returns the parts of text. X replaces the addresses in it with short links.
  private static func pieces(of text: String) -> [PostPiece] {
    var pieces: [PostPiece] = []
    var rest = text[...]
    while let start = ["http://", "https://"].compactMap({ rest.firstRange(of: $0)?.lowerBound }).min() {
      pieces += PostPiece.parse(String(rest[..<start])) { .plain("{link}") }
      let link = rest[start...].prefix { !$0.isWhitespace }
      pieces.append(.link(short: "https://t.co/\(String(link.utf8.count, radix: 36))sandbox", expanded: String(link)))
      rest = rest[link.endIndex...]
    }
    return pieces + PostPiece.parse(String(rest)) { .plain("{link}") }
  }

  private static func response(
    _ status: StatusCode = .ok, _ members: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("data")
      writer.object(members)
    }
    return Response(json: writer.bytes, status: status)
  }
}

/// The JSON body of a request to the v2 API. Unknown members are refused.
private struct V2Draft {
  private(set) var text = ""
  private(set) var replyTo: String?
  /// The ids of the files.
  private(set) var media: [String] = []
  /// Whether the post quotes another one.
  private(set) var quotes = false

  init(_ request: Request) throws(V2Error) {
    var cursor = try Self.body(of: request)
    var unknown: String?
    do {
      try cursor.members { cursor, name in
        switch name {
        case "text": text = try cursor.string()
        case "quote_tweet_id":
          quotes = true
          try cursor.skip()
        case "media":
          try cursor.members { cursor, name in
            if name == "media_ids" {
              media = try cursor.list { cursor in try cursor.string() }
            } else {
              unknown = "media.\(name.text)"
              try cursor.skip()
            }
          }
        case "reply":
          try cursor.members { cursor, name in
            if name == "in_reply_to_tweet_id" {
              replyTo = try cursor.string()
            } else {
              unknown = "reply.\(name.text)"
              try cursor.skip()
            }
          }
        default:
          unknown = name.text
          try cursor.skip()
        }
      }
      try cursor.end()
    } catch { throw .badBody("The request body is not valid JSON.") }
    if let unknown {
      throw .badBody("$.\(unknown): is not defined in the schema and the schema does not allow additional properties")
    }
  }

  /// Returns the id in `{"tweet_id":"…"}`.
  static func postID(in request: Request) throws(V2Error) -> UInt64? {
    var cursor = try body(of: request)
    var id: String?
    do {
      try cursor.members { cursor, name in
        if name == "tweet_id" { id = try cursor.string() } else { try cursor.skip() }
      }
      try cursor.end()
    } catch { throw .badBody("The request body is not valid JSON.") }
    return id.flatMap { UInt64($0) }
  }

  private static func body(of request: Request) throws(V2Error) -> JSONCursor {
    guard request.headers.first(.contentType)?.lowercased().hasPrefix("application/json") == true else {
      throw .badBody("The content type of the request must be application/json.")
    }
    return JSONCursor(request.body)
  }
}

extension Request {
  /// The number in the last segment of the path.
  fileprivate var lastNumber: UInt64? { target.path.split(separator: "/").last.flatMap { UInt64($0) } }
}

extension SandboxPost {
  var isOriginal: Bool { if case .reposted = companion { false } else { true } }

  /// Whether the post mentions the user, who may then reply to it.
  fileprivate var mentionsUser: Bool {
    if reply?.to.id == Author.mira.id { return true }
    return pieces.contains { if case .mention(let author) = $0 { author.id == Author.mira.id } else { false } }
  }
}
