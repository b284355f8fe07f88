import HTTP
import JSON

/// The parts of a post's JSON that the tests inspect.
struct ReceivedPost: Equatable {
  /// An entity: the text that it replaces, and its position in code points.
  struct Mark: Equatable {
    var kind: String
    var word = ""
    var start = 0
    var end = 0
  }

  var id: UInt64 = 0
  var idText = ""
  var createdAt = ""
  var text: String?
  var fullText: String?
  var isTruncated = false
  var displayRange: [Int64]?
  var marks: [Mark] = []
  var mediaTypes: [String] = []
  var alternativeTexts: [String] = []
  var expandedAddresses: [String] = []
  var author = ""
  var isReply = false
  var language = ""
  /// The posts in `retweeted_status`, at most one.
  var reposted: [ReceivedPost] = []
  /// The posts in `quoted_status`, at most one.
  var quoted: [ReceivedPost] = []

  static func page(_ bytes: [UInt8]) throws -> [ReceivedPost] {
    var cursor = JSONCursor(bytes)
    let posts = try cursor.list { try ReceivedPost(&$0) }
    try cursor.end()
    return posts
  }

  private init(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      switch name {
      case "id": id = UInt64(try cursor.numberText()) ?? 0
      case "id_str": idText = try cursor.string()
      case "created_at": createdAt = try cursor.string()
      case "text": text = try cursor.string()
      case "full_text": fullText = try cursor.string()
      case "truncated": isTruncated = try cursor.boolean()
      case "display_text_range": displayRange = try cursor.list { try $0.integer(in: 0...Int64.max) }
      case "entities": try readMarks(&cursor)
      case "extended_entities":
        try cursor.members { cursor, _ in
          try cursor.elements { cursor in try readMedia(&cursor) }
        }
      case "user":
        try cursor.members { cursor, name in
          if name == "screen_name" { author = try cursor.string() } else { try cursor.skip() }
        }
      case "in_reply_to_status_id_str": isReply = try cursor.stringOrNull() != nil
      case "lang": language = try cursor.string()
      case "retweeted_status": reposted = [try ReceivedPost(&cursor)]
      case "quoted_status": quoted = [try ReceivedPost(&cursor)]
      default: try cursor.skip()
      }
    }
  }

  private mutating func readMarks(_ cursor: inout JSONCursor) throws {
    var found: [Mark] = []
    var addresses: [String] = []
    try cursor.members { cursor, kind in
      try cursor.elements { cursor in
        var mark = Mark(kind: kind.text)
        try cursor.members { cursor, name in
          switch (kind.text, name.text) {
          case (_, "indices"):
            let places = try cursor.list { try $0.integer(in: 0...Int64.max) }
            (mark.start, mark.end) = (Int(places[0]), Int(places[1]))
          case ("hashtags", "text"): mark.word = "#" + (try cursor.string())
          case ("user_mentions", "screen_name"): mark.word = "@" + (try cursor.string())
          case ("urls", "url"), ("media", "url"): mark.word = try cursor.string()
          case ("urls", "expanded_url"): addresses.append(try cursor.string())
          default: try cursor.skip()
          }
        }
        found.append(mark)
      }
    }
    marks = found
    expandedAddresses = addresses
  }

  private mutating func readMedia(_ cursor: inout JSONCursor) throws {
    var type = ""
    var alternative: String?
    try cursor.members { cursor, name in
      switch name {
      case "type": type = try cursor.string()
      case "ext_alt_text": alternative = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    mediaTypes.append(type)
    if let alternative { alternativeTexts.append(alternative) }
  }
}

/// The parts of a v2 API response that the tests inspect.
struct ReceivedV2Page: Equatable {
  struct Post: Equatable {
    var id: UInt64 = 0
    var text = ""
    var history: [String] = []
    /// The names of all members of the response.
    var members: Set<String> = []
    var author: String?
    var references: [String: String] = [:]
    var mediaKeys: [String] = []
  }

  var members: Set<String> = []
  var posts: [Post] = []
  var included: [Post] = []
  var users: [String] = []
  var mediaKeys: [String] = []
  var errors = 0
  var meta: [String: String] = [:]
  /// The strings in a problem document, or in the single user of `users/me`.
  var texts: [String: String] = [:]

  init(_ bytes: [UInt8]) throws {
    var cursor = JSONCursor(bytes)
    try cursor.members { cursor, name in
      members.insert(name.text)
      switch name {
      case "data" where try cursor.peek() == .array: posts = try cursor.list { try Self.post(&$0) }
      case "data": texts = try Self.texts(&cursor)
      case "includes": try readIncludes(&cursor)
      case "errors": errors = try cursor.list { _ = try $0.skip() }.count
      case "meta": meta = try Self.texts(&cursor)
      default: texts[name.text] = try Self.text(&cursor)
      }
    }
    try cursor.end()
  }

  var ids: [UInt64] { posts.map(\.id) }

  private mutating func readIncludes(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      members.insert("includes.\(name.text)")
      switch name {
      case "tweets", "posts": included = try cursor.list { try Self.post(&$0) }
      case "users": users = try cursor.list { try Self.texts(&$0)["id"] ?? "" }
      case "media": mediaKeys = try cursor.list { try Self.texts(&$0)["media_key"] ?? "" }
      default: try cursor.skip()
      }
    }
  }

  private static func post(_ cursor: inout JSONCursor) throws -> Post {
    var post = Post()
    try cursor.members { cursor, name in
      post.members.insert(name.text)
      switch name {
      case "id": post.id = UInt64(try cursor.string()) ?? 0
      case "text": post.text = try cursor.string()
      case "author_id": post.author = try cursor.string()
      case "edit_history_tweet_ids", "edit_history_post_ids": post.history = try cursor.list { try $0.string() }
      case "referenced_tweets", "referenced_posts":
        for reference in try cursor.list({ try texts(&$0) }) {
          post.references[reference["type"] ?? ""] = reference["id"]
        }
      case "attachments":
        try cursor.members { cursor, _ in post.mediaKeys = try cursor.list { try $0.string() } }
      default: try cursor.skip()
      }
    }
    return post
  }

  /// Returns the members that are strings or numbers.
  private static func texts(_ cursor: inout JSONCursor) throws -> [String: String] {
    var found: [String: String] = [:]
    try cursor.members { cursor, name in found[name.text] = try text(&cursor) }
    return found
  }

  private static func text(_ cursor: inout JSONCursor) throws -> String? {
    switch try cursor.peek() {
    case .string: return try cursor.string()
    case .number: return try cursor.numberText()
    default:
      try cursor.skip()
      return nil
    }
  }
}

/// JSON as a flat table: each scalar by its path, such as `statuses.0.user.idstr`. The elements of an array without a name are at `.0`, `.1` and so on.
struct ReceivedTable {
  private(set) var texts: [String: String] = [:]
  /// The paths of the scalars that are strings.
  private(set) var strings: Set<String> = []
  private var counts: [String: Int] = [:]

  init(_ response: Response) throws {
    var cursor = JSONCursor(response.body)
    try take(&cursor, at: "")
    try cursor.end()
  }

  subscript(path: String) -> String? { texts[path] }

  func count(of path: String) -> Int? { counts[path] }

  /// Returns the value of a member in each post.
  func posts(_ member: String) -> [String] {
    (0..<(counts["statuses"] ?? 0)).compactMap { texts["statuses.\($0).\(member)"] }
  }

  var ids: [UInt64] { posts("idstr").compactMap { UInt64($0) } }

  private mutating func take(_ cursor: inout JSONCursor, at path: String) throws {
    switch try cursor.peek() {
    case .object:
      try cursor.members { cursor, name in try take(&cursor, at: path.isEmpty ? name.text : "\(path).\(name.text)") }
    case .array:
      var count = 0
      try cursor.elements { cursor in
        try take(&cursor, at: "\(path).\(count)")
        count += 1
      }
      counts[path] = count
    case .string:
      texts[path] = try cursor.string()
      strings.insert(path)
    case .number: texts[path] = try cursor.numberText()
    case .boolean: texts[path] = try cursor.boolean() ? "true" : "false"
    case .null: _ = try cursor.null()
    }
  }
}
