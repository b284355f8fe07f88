internal import JSON
internal import Timeline

/// A home timeline's answer: `statuses`, newest first, and what Weibo says of what it left out.
///
/// Only posts of people who authorised the same application come, and `total_number` counts the others too: so neither few posts nor
/// none say that there are no more.
struct WeiboPage {
  private var entries: [Page.Entry] = []
  /// Posts that Weibo says were deleted: no posts any more, but nothing lies between them and the others either.
  private var deleted: [PostMark] = []
  /// The ids in the order of the answer, also of posts that could not be read.
  private var ids: [String] = []
  /// How many elements were no posts, or posts without an id, a time or an author.
  private(set) var skipped = 0
  /// From where Weibo goes on, that post included; `nil` where it names none.
  private var next: String?
  private var total: String?

  /// - Returns: `nil` when there are no `statuses` in it, or an error beside them.
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

  /// The page for what was asked for; `nil` when posts came for a first page and none could be read, or none shows where to read on.
  func page(for query: TimelineQuery) -> Page? {
    let wanted = entries.filter { isAsked($0.post.id.text, query) }
    if wanted.isEmpty, skipped > 0, query.older == nil || ids.isEmpty { return nil }
    let gone = deleted.filter { isAsked($0.id.text, query) }
    let marks = wanted.map(\.mark) + gone
    return Page(
      entries: wanted, older: cursor(for: query), reaches: saysNothingIsLeft ? query.since : nil,
      stretch: marks.min().flatMap { low in marks.max().map { low...$0 } }, deleted: gone)
  }

  /// Whether a post is one that was asked for. A server that does not know `max_id` would otherwise answer with the same page for ever.
  private func isAsked(_ id: String, _ query: TimelineQuery) -> Bool {
    guard let limit = query.older.flatMap({ PostKey(decimal: PostID($0.text)) }),
      let key = PostKey(decimal: PostID(id))
    else { return true }
    return key <= limit
  }

  /// `max_id` includes the post that it names, so the next page begins at the oldest id less one. Without posts it begins where
  /// Weibo says, if that is further down; where it says nothing, a gap stays to be asked for, since an end cannot be told from a
  /// hiccup, while there is nothing to be had below everything.
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

  /// Only an answer that counts nothing at all proves that nothing lies between what was asked for.
  private var saysNothingIsLeft: Bool { ids.isEmpty && skipped == 0 && next == nil && total == "0" }
}
