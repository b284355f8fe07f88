internal import HTTP
internal import JSON
internal import Time

/// Weibo's home timeline, with the sandbox's posts.
struct WeiboTimeline: Sendable {
  /// The parameters of a request.
  struct Query {
    var count = 20
    var page = 1
    /// Only posts above this post are returned; 0 for no limit.
    var since: UInt64 = 0
    /// The newest post that may be returned; 0 for no limit.
    var max: UInt64 = 0
    /// Whether posts that repost or quote another post are left out.
    var onlyOriginals = false
    var trimsUsers = false
  }

  /// The number of newest posts that a client can read, as observed on Weibo.
  private static let reach = 150

  private let posts: SandboxTimeline

  init(_ posts: SandboxTimeline) { self.posts = posts }

  /// Returns a page of the timeline as JSON.
  /// - Parameter own: the user's own posts, which the first page contains in addition to the others.
  func json(_ query: Query, and own: [SandboxPost], at time: Timestamp, _ quirks: WeiboQuirks) -> [UInt8] {
    let found = indices(query, at: time)
    // Weibo selects the page first, and then leaves out posts by authors who have not authorised the application.
    let skipped = (query.page - 1).multipliedReportingOverflow(by: query.count)
    let rest = found.dropFirst(skipped.overflow ? found.count : skipped.partialValue)
    let selected = quirks.emptiesPages ? [] : rest.prefix(query.count).map { posts.factory.post($0) }
    let ownPosts = own.filter { query.page == 1 && $0.id > query.since && (query.max == 0 || $0.id <= query.max) }
    let visible =
      ownPosts.reversed()
      + selected.filter {
        Self.hasAuthorised($0.author, quirks) && !(query.onlyOriginals && $0.original != nil)
      }
    let next = rest.dropFirst(query.count).first.map { posts.calendar.id(of: $0) }
    let writer = WeiboStatusWriter(quirks: quirks, trimsUsers: query.trimsUsers)
    var json = JSONWriter()
    json.object { json in
      json.member("statuses", list: visible) { writer.write($1, to: &$0) }
      json.member("hasvisible", false)
      json.member("previous_cursor", 0)
      json.member("next_cursor", next ?? 0)
      // The number of all posts, whether returned or not.
      json.member("total_number", found.count)
      json.member("since_id", visible.first?.id ?? 0)
      json.member("max_id", next ?? 0)
      json.member("interval", 0)
      json.member("has_unread", 0)
      for name in ["ad", "advertises"] { json.member(name, list: [Int]()) { $0.integer($1) } }
    }
    return json.bytes
  }

  /// Returns the indices of the posts that match, newest first.
  private func indices(_ query: Query, at time: Timestamp) -> [Int] {
    guard let newest = posts.calendar.newestIndex(at: time) else { return [] }
    var first = newest
    if query.max > 0 {
      guard let limit = posts.calendar.newestIndex(withIDAtMost: query.max) else { return [] }
      first = min(first, limit)
    }
    var last = max(0, newest - Self.reach + 1)
    if query.since > 0, let known = posts.calendar.newestIndex(withIDAtMost: query.since) {
      last = max(last, known + 1)
    }
    return first < last ? [] : (last...first).reversed()
  }

  private static func hasAuthorised(_ author: Author, _ quirks: WeiboQuirks) -> Bool {
    guard let every = quirks.silentAuthors, every > 0 else { return true }
    return Int(author.id) % every != 0
  }
}

extension WeiboTimeline.Query {
  init(_ form: RequestForm) throws(WeiboError) {
    if let count = try form.number("count"), count > 0 { self.count = Int(min(count, 100)) }
    if let page = try form.number("page"), page > 0 { self.page = Int(min(page, 1_000)) }
    since = try form.number("since_id") ?? 0
    max = try form.number("max_id") ?? 0
    onlyOriginals = try form.number("feature") == 1
    trimsUsers = try form.number("trim_user") == 1
  }
}
