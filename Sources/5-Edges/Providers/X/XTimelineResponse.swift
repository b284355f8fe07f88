internal import JSON
internal import Time
internal import Timeline

/// A timeline response split into its parts: posts, the objects they refer to, and the data about the page.
///
/// If there are `errors` in addition to `data`, they concern unavailable referenced posts. The page is complete without these.
struct XTimelineResponse {
  private(set) var posts: [XPost] = []
  private(set) var users: [String: User] = [:]
  private(set) var referenced: [String: XPost] = [:]
  private(set) var media: [String: Media] = [:]
  /// Users by id and media by key, as received.
  private(set) var userSources: [String: ArraySlice<UInt8>] = [:]
  private(set) var mediaSources: [String: ArraySlice<UInt8>] = [:]
  /// The delivered posts and users: on the page or included, readable or not.
  private(set) var delivered = Delivered()
  /// The number of posts according to X.
  private(set) var claimedCount: Int?
  private(set) var hasNext = false
  private(set) var hasErrors = false
  private var isTimeline = false

  /// Reads a response; `nil` if it contains neither `data` nor `meta`.
  init?(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      switch name {
      case "data" where try cursor.peek() == .array:
        isTimeline = true
        try cursor.pageElements { cursor in
          let post = try XPost(&cursor)
          delivered.add(post: post.id)
          posts.append(post)
        }
      case "meta" where try cursor.peek() == .object:
        isTimeline = true
        try readMeta(&cursor)
      case "includes": try readIncludes(&cursor)
      case "errors":
        try cursor.lenientElements { cursor in
          hasErrors = true
          try cursor.skip()
        }
      default: try cursor.skip()
      }
    }
    if !isTimeline { return nil }
  }

  private mutating func readMeta(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      switch name {
      case "result_count": claimedCount = try cursor.lenientCount()
      case "next_token": hasNext = try cursor.lenientString().map { !$0.isEmpty } ?? false
      default: try cursor.skip()
      }
    }
  }

  private mutating func readIncludes(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "users":
        try cursor.lenientPageElements { cursor in
          let start = try cursor.start()
          let user = try XUser(&cursor)
          delivered.add(user: user.id)
          guard let id = user.id else { return }
          users[id] = user.user
          userSources[id] = cursor.slice(from: start)
        }
      case "tweets", "posts":
        try cursor.lenientPageElements { cursor in
          let post = try XPost(&cursor)
          delivered.add(post: post.id)
          if let id = post.id { referenced[id] = post }
        }
      case "media":
        try cursor.lenientPageElements { cursor in
          let start = try cursor.start()
          let media = try XMedia(&cursor)
          guard let key = media.key else { return }
          self.media[key] = media.media
          mediaSources[key] = cursor.slice(from: start)
        }
      default: try cursor.skip()
      }
    }
  }
}
