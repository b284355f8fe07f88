internal import JSON
internal import Time
package import Timeline

extension TimelineFile {
  /// Reads a published file of schema 1 or 2. Unknown members are skipped. A newer schema is refused before anything else is read.
  /// - Parameters:
  ///   - bytes: the file, or a beginning of it that contains the required posts.
  ///   - limit: the maximum number of posts to read. Reading then stops, so later errors are not noticed.
  package static func read(_ bytes: [UInt8], limit: Int = .max) throws(PublishedFormatError) -> TimelineFile {
    try PublishedFormatError.wrapping {
      try checkSchema(of: bytes)
      var cursor = JSONCursor(bytes)
      let start = try cursor.start()
      var account: String?
      var provider: String?
      var head = TimelineHead(account: "", provider: "")
      var nextRefreshAt: Timestamp?
      var posts: [Post]?
      var fragments: [[UInt8]] = []
      try reading {
        try cursor.members { cursor, name in
          switch name {
          case "account": account = try cursor.string()
          // A later version can add kinds of timelines.
          case "timeline":
            let name = try cursor.string()
            head.timeline = (try? TimelineName(name)) ?? .home
          case "provider": provider = try cursor.string()
          case "user": head.user = try cursor.null() ? nil : PostJSON.readUser(&cursor)
          case "refreshed_at": head.refreshedAt = try readTimeOrNull(name, &cursor)
          case "fresh_until": head.freshUntil = try readTimeOrNull(name, &cursor)
          // Instead of `fresh_until`, schema 1 contained the time of the next refresh.
          case "next_refresh_at": nextRefreshAt = try readTimeOrNull(name, &cursor)
          case "stale_since": head.staleSince = try readTimeOrNull(name, &cursor)
          case "error": head.problem = try cursor.null() ? nil : readProblem(&cursor)
          case "login_needed_by": head.loginNeededBy = try readTimeOrNull(name, &cursor)
          case "read_up_to": head.readUpTo = try cursor.null() ? nil : PostID(cursor.string())
          case "unread": head.unread = try cursor.integer(in: 0...Int(JSONNumber.largest))
          case "gaps": head.gaps = try cursor.list(readGap)
          case "posts":
            var list: [Post] = []
            fragments = []
            try cursor.elements { cursor in
              let start = try cursor.start()
              list.append(try PostJSON.read(&cursor))
              fragments.append(Array(cursor.slice(from: start)))
              // This program writes the head before the posts. Files in a different order are read completely.
              if list.count >= limit, account != nil, provider != nil {
                posts = list
                throw ReadingStoppedError()
              }
            }
            posts = list
          default: try cursor.skip()
          }
        }
        try cursor.end()
      }
      if let nextRefreshAt, head.freshUntil == nil {
        head.freshUntil = Freshness(refreshedAt: head.refreshedAt, nextRefreshAt: nextRefreshAt).refreshDue
      }
      head.account = try cursor.required(account, "account", from: start)
      head.provider = try cursor.required(provider, "provider", from: start)
      return TimelineFile(head: head, posts: try cursor.required(posts, "posts", from: start), fragments: fragments)
    }
  }

  /// Thrown when all requested posts have been read.
  private struct ReadingStoppedError: Error {}

  private static func reading(_ body: () throws -> Void) throws {
    do { try body() } catch is ReadingStoppedError {}
  }

  /// Checks the schema in a separate pass, because a newer file may differ before the schema number.
  private static func checkSchema(of bytes: [UInt8]) throws {
    var cursor = JSONCursor(bytes)
    let start = try cursor.start()
    var number: Int64?
    try reading {
      try cursor.members { cursor, name in
        guard name == "schema" else {
          try cursor.skip()
          return
        }
        let start = try cursor.start()
        let value = try cursor.integer(in: Int64.min...Int64.max)
        guard value >= 1 else {
          throw PublishedFormatError.meaningless(name.text, expected: "a number from 1 on", cursor.position(of: start))
        }
        number = value
        throw ReadingStoppedError()
      }
    }
    let found = try cursor.required(number, "schema", from: start)
    if found > schema { throw PublishedFormatError.newerSchema(found) }
  }

  private static func readTimeOrNull(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Timestamp? {
    try cursor.null() ? nil : PostJSON.readTime(name, &cursor)
  }

  /// Reads a problem. A code that a later version added is read as `provider`; the message still explains the problem.
  private static func readProblem(_ cursor: inout JSONCursor) throws -> Problem {
    let start = try cursor.start()
    var code: String?
    var message: String?
    var retryAt: Timestamp?
    try cursor.members { cursor, name in
      switch name {
      case "code": code = try cursor.string()
      case "message": message = try cursor.string()
      case "retry_at": retryAt = try readTimeOrNull(name, &cursor)
      default: try cursor.skip()
      }
    }
    return Problem(
      code: Problem.Code(rawValue: try cursor.required(code, "code", from: start)) ?? .provider,
      message: try cursor.required(message, "message", from: start), retryAt: retryAt)
  }

  private static func readGap(_ cursor: inout JSONCursor) throws -> PublishedGap {
    let start = try cursor.start()
    var after: String?
    var before: String?
    var isFillable: Bool?
    try cursor.members { cursor, name in
      switch name {
      case "after": after = try cursor.string()
      case "before": before = try cursor.string()
      case "fillable": isFillable = try cursor.boolean()
      default: try cursor.skip()
      }
    }
    return PublishedGap(
      after: PostID(try cursor.required(after, "after", from: start)),
      before: PostID(try cursor.required(before, "before", from: start)),
      isFillable: try cursor.required(isFillable, "fillable", from: start))
  }
}
