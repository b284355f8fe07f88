import JSON

/// What the tests look at in an answer of the API v2.
struct V2OnTheWire: Equatable {
  struct Post: Equatable {
    var id: UInt64 = 0
    var text = ""
    var history: [String] = []
    /// The names of all its members.
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
  /// Of a problem document, or of the one user of `users/me`.
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

  /// The members that are texts or numbers.
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
