internal import JSON
internal import Timeline

/// A timeline response: an array of statuses, newest first.
struct TwitterPage {
  private let entries: [Page.Entry]
  /// The ids in the order of the response, including those of unreadable posts.
  private let ids: [String]
  /// The number of elements without a readable id or time.
  let skipped: Int
  /// Whether the posts show that the server is GNU social.
  let isFromGNUSocial: Bool

  /// Reads an array of statuses. Elements that are not complete statuses are skipped and counted.
  /// - Throws: `JSONError` if the text is not JSON, `ProviderFailure.unreadable` if it has too many elements.
  init(_ cursor: inout JSONCursor, permalink: TwitterStatus.Permalink) throws {
    var entries: [Page.Entry] = []
    var ids: [String] = []
    var skipped = 0
    var isFromGNUSocial = false
    try cursor.pageElements { cursor in
      let status = try TwitterStatus(&cursor)
      if let id = status.id { ids.append(id) }
      if status.isGNUSocial { isFromGNUSocial = true }
      if let entry = status.entry(permalink: permalink) { entries.append(entry) } else { skipped += 1 }
    }
    self.entries = entries
    self.ids = ids
    self.skipped = skipped
    self.isFromGNUSocial = isFromGNUSocial
  }

  /// Returns the page for a query; `nil` if a first page has no readable post, or if an older page contains no position to continue from.
  ///
  /// `max_id` is inclusive. With decimal ids, the cursor is therefore the oldest id minus one. With other ids, it is the oldest id, and
  /// the repeated post is dropped. Posts above a decimal `max_id` are also dropped. Otherwise, paging would never end on a server that
  /// ignores the parameter.
  func page(for query: TimelineQuery) -> Page? {
    let wanted = query.older == nil ? entries : entries.filter { isWanted($0.post.id.text, query) }
    if wanted.isEmpty, skipped > 0, query.older == nil || ids.isEmpty { return nil }
    let came = query.older == nil ? ids : ids.filter { isWanted($0, query) }
    let saysNothingIsLeft = came.isEmpty && skipped == 0 && isHonest(query)
    return Page(entries: wanted, older: cursor(below: came, query), reaches: saysNothingIsLeft ? query.since : nil)
  }

  private func isWanted(_ id: String, _ query: TimelineQuery) -> Bool {
    guard let older = query.older else { return true }
    guard let limit = PostKey(decimal: PostID(older.text)) else { return id != older.text }
    guard let key = PostKey(decimal: PostID(id)) else { return true }
    return key <= limit
  }

  /// Returns whether the response is really empty: it contains no posts, or only the post with the cursor's id.
  private func isHonest(_ query: TimelineQuery) -> Bool { ids.allSatisfy { $0 == query.older?.text } }

  private func cursor(below came: [String], _ query: TimelineQuery) -> PageCursor? {
    if came.allSatisfy(DecimalID.isDecimal) {
      let oldest = came.min(by: DecimalID.isSmaller)
      let next = oldest.flatMap { DecimalID.predecessor(of: $0) }
      // No post has the id 0, and GNU social responds to `max_id=0` with its newest page.
      return next == "0" ? nil : next.map { PageCursor($0) }
    }
    // The order of the response is the server's own. If its last id equals the cursor, there are no more posts.
    return ids.last == query.older?.text ? nil : ids.last.map { PageCursor($0) }
  }
}
