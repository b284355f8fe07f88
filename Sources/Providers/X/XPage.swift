internal import CivilTime
internal import JSON
internal import Timeline

/// A timeline's answer made into a page.
struct XPage {
  /// How far X reaches back, less a little for the time that an answer takes. Below it an empty answer says nothing.
  private static let reach = Duration.seconds(7 * 86_400 - 3600)

  private let answer: XTimelineAnswer
  private let writer: XPostWriter

  init(_ answer: XTimelineAnswer, _ writer: XPostWriter) {
    self.answer = answer
    self.writer = writer
  }

  /// The page for what was asked for.
  ///
  /// Its stretch goes by the ids that came and not by the places of the posts: a later version of a post has an id of its own,
  /// while it keeps the place of the first one.
  /// - Throws: `ProviderError.unreadable` when posts came and none could be read, and none shows where to read on.
  func fetched(for query: XPageQuery, at now: Timestamp) throws(ProviderError) -> PageAnswer.Fetched {
    let marks = answer.posts.compactMap { post in
      post.id.flatMap { id in PostKey(decimal: PostID(id)).map { PostMark(id: PostID(id), key: $0) } }
    }.filter { query.asks(for: $0.key) }
    let versions = answer.posts.compactMap { writer.entry($0, in: answer) }
    // Of several versions the newest counts, which is the one with the largest id.
    let entries = versions.filter { PostKey(decimal: $0.post.id).map(query.asks) ?? false }
      .sorted { (PostKey(decimal: $0.post.id) ?? $0.key) > (PostKey(decimal: $1.post.id) ?? $1.key) }
    let skipped = answer.posts.count - versions.count
    if entries.isEmpty, skipped > 0, query.until == nil || marks.isEmpty {
      throw .unreadable("None of the \(skipped) posts that came could be read.")
    }
    let page = Page(
      entries: entries, older: marks.min().map { PageCursor($0.id.text) },
      reaches: saysNothingIsLeft(query, at: now) ? query.since : nil,
      stretch: marks.min().flatMap { low in marks.max().map { low...$0 } })
    return PageAnswer.Fetched(
      page: page, skipped: skipped, delivered: answer.delivered)
  }

  /// Whether the answer proves that nothing lies between its posts and the mark that was asked from.
  ///
  /// That is so when it has room left and names no next page, and agrees with itself: not when its count is another one than it
  /// says, posts are left out for errors, or others came than were asked for; and not where the mark lies beyond X's reach.
  private func saysNothingIsLeft(_ query: XPageQuery, at now: Timestamp) -> Bool {
    guard let since = query.since, !answer.hasNext, answer.posts.count < query.count,
      (answer.claimedCount ?? answer.posts.count) == answer.posts.count
    else { return false }
    let keys = answer.posts.compactMap { post in post.id.flatMap { PostKey(decimal: PostID($0)) } }
    guard keys.count == answer.posts.count, keys.allSatisfy(query.asks), !(answer.posts.isEmpty && answer.hasErrors)
    else { return false }
    return Snowflake.time(of: since.id.text).map { now - $0 <= Self.reach } ?? false
  }
}

/// A timeline's answer, taken apart: posts, what belongs to them, and what X says of the page.
///
/// `errors` beside `data` are about posts that are referred to and not to be had; the page is good without them.
struct XTimelineAnswer {
  private(set) var posts: [XPost] = []
  private(set) var users: [String: User] = [:]
  private(set) var referenced: [String: XPost] = [:]
  private(set) var media: [String: Media] = [:]
  /// Users by id and media by key, as they came.
  private(set) var userSources: [String: ArraySlice<UInt8>] = [:]
  private(set) var mediaSources: [String: ArraySlice<UInt8>] = [:]
  /// Posts and users, of the page and along with it, readable or not.
  private(set) var delivered = Delivered()
  /// What X says how many posts there are.
  private(set) var claimedCount: Int?
  private(set) var hasNext = false
  private(set) var hasErrors = false
  private var isTimeline = false

  /// - Returns: `nil` when there is neither `data` nor `meta` in it.
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
