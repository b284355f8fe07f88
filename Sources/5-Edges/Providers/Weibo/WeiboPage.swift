internal import JSON
internal import Timeline

/// A timeline response: `statuses`, newest first, and Weibo's count of all posts.
///
/// Weibo returns only posts by users who authorised the same application, but `total_number` counts all posts. Therefore, a short or
/// empty response does not mean that there are no more posts.
struct WeiboPage {
  private var entries: [Page.Entry] = []
  /// The posts that Weibo reports as deleted. They are not on the page, but leave no gap.
  private var deleted: [PostPosition] = []
  /// The ids in the order of the response, including those of unreadable posts.
  private var ids: [String] = []
  /// The number of elements that are not posts, or are posts without an id, a time or an author.
  private(set) var skipped = 0
  /// Weibo's inclusive cursor for the next page; `nil` if the response contains none.
  private var next: String?
  private var total: String?

  /// Reads a response; `nil` if it contains no `statuses`, or if it contains an error as well.
  init?(_ cursor: inout JSONCursor, permalink: WeiboStatus.Permalink) throws {
    var isTimeline = false
    var isRefusal = false
    try cursor.members { cursor, name in
      switch name {
      case "statuses" where try cursor.peek() == .array:
        isTimeline = true
        try cursor.pageElements { cursor in
          let status = try WeiboStatus(&cursor)
          if let id = status.id { ids.append(id) }
          if status.isDeleted, let mark = status.mark {
            deleted.append(mark)
          } else if let entry = status.entry(permalink) {
            entries.append(entry)
          } else {
            skipped += 1
          }
        }
      case "next_cursor": next = try cursor.lenientID().flatMap { DecimalID.isDecimal($0) && $0 != "0" ? $0 : nil }
      case "total_number": total = try cursor.lenientID()
      case "error_code":
        isRefusal = true
        try cursor.skip()
      default: try cursor.skip()
      }
    }
    if !isTimeline || isRefusal { return nil }
  }

  /// Returns the page for a query; `nil` if a first page has no readable post, or if an older page contains no position to continue from.
  func page(for query: TimelineQuery) -> Page? {
    let wanted = entries.filter { isAsked($0.post.id.text, query) }
    if wanted.isEmpty, skipped > 0, query.older == nil || ids.isEmpty { return nil }
    let gone = deleted.filter { isAsked($0.id.text, query) }
    let marks = wanted.map(\.mark) + gone
    return Page(
      entries: wanted, older: cursor(for: query), reaches: saysNothingIsLeft ? query.since : nil,
      stretch: marks.min().flatMap { low in marks.max().map { low...$0 } }, deleted: gone)
  }

  /// Returns whether a post is in the requested range. Without this check, paging would never end on a server that ignores `max_id`.
  private func isAsked(_ id: String, _ query: TimelineQuery) -> Bool {
    guard let limit = query.older.flatMap({ PostKey(decimal: PostID($0.text)) }),
      let key = PostKey(decimal: PostID(id))
    else { return true }
    return key <= limit
  }

  /// Returns the cursor for the next page. `max_id` is inclusive, so the next page begins at the oldest id minus one. After a page without
  /// posts, it begins at Weibo's cursor if that is further down. If there is no cursor, paging below the oldest post stops, but a gap stays
  /// open: the end of the timeline looks like a temporary error.
  private func cursor(for query: TimelineQuery) -> PageCursor? {
    let came = ids.filter { isAsked($0, query) }.compactMap { id in
      PostKey(decimal: PostID(id)).map { (id: id, key: $0) }
    }
    if let oldest = came.min(by: { $0.key < $1.key }) {
      return DecimalID.predecessor(of: oldest.id).map { PageCursor($0) }
    }
    guard ids.isEmpty else { return nil }
    if let next, isBelow(next, query.older) { return PageCursor(next) }
    return query.since == nil || total == "0" ? nil : query.older
  }

  private func isBelow(_ id: String, _ older: PageCursor?) -> Bool {
    guard let older, let limit = PostKey(decimal: PostID(older.text)) else { return true }
    return PostKey(decimal: PostID(id)).map { $0 < limit } ?? false
  }

  /// Only a total of 0 proves that nothing is missing in the requested range.
  private var saysNothingIsLeft: Bool { ids.isEmpty && skipped == 0 && next == nil && total == "0" }
}
