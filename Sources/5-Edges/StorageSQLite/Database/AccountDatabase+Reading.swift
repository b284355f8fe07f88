internal import JSON
package import Storage
internal import Time
package import Timeline

extension AccountDatabase {
  package func state() throws(StorageError) -> AccountState {
    try remembered(\.state) { () throws(StorageError) in
      var state =
        try connection.first(missingColumns.isEmpty ? AccountState.select : selectOfOlderState) { AccountState($0) }
        ?? AccountState()
      if try seesOthers() { try state.addOthers(from: connection) }
      return state
    }
  }

  private var selectOfOlderState: String {
    let columns = AccountState.columns.map { missingColumns.contains($0) ? DatabaseSchema.substitute(for: $0) : $0 }
    return "SELECT \(columns.joined(separator: ", ")) FROM state WHERE row = 1"
  }

  package func spans(of timeline: TimelineName) throws(StorageError) -> Spans {
    try remembered(\.spans, of: timeline) { () throws(StorageError) in
      try rows(of: timeline).map { rows throws(StorageError) in try storedSpans(rows) } ?? Spans()
    }
  }

  private func storedSpans(_ rows: TimelineRows) throws(StorageError) -> Spans {
    Spans(
      // Invalid rows are ignored.
      try connection.all(
        """
        SELECT newest_key, newest_id, oldest_key, oldest_id, older_cursor FROM \(rows.spans) WHERE oldest_key <= newest_key
        """, rows.values
      ) { row in
        Span(
          newest: PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0))),
          oldest: PostPosition(id: PostID(row.text(3)), key: PostKey(row.text(2))),
          older: row.textOrNull(4).map { PageCursor($0) })
      })
  }

  /// Returns the newest posts of a timeline, newest first, at most `count`.
  package func newestPosts(_ count: Int, of timeline: TimelineName) throws(StorageError) -> [KnownPost] {
    try posts(of: timeline, below: nil, atMost: count)
  }

  package func posts(
    of timeline: TimelineName, below key: PostKey?, atMost count: Int
  ) throws(StorageError) -> [KnownPost] {
    guard let rows = try rows(of: timeline) else { return [] }
    // '~' sorts after all keys.
    return try connection.all(
      rows.selectPosts,
      rows.values + [.text(StoredKey.lowestOfHome), .text(key?.text ?? "~"), .integer(Int64(count))]
    ) { row in
      KnownPost(mark: PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0))), json: rows.json(row))
    }
  }

  package func posts(
    of timeline: TimelineName, before moment: PostMoment?, atMost count: Int
  ) throws(StorageError) -> [TimedPost] {
    guard let rows = try rows(of: timeline) else { return [] }
    let time = SQLiteValue.integer((moment?.time ?? .latest).milliseconds)
    return try connection.all(
      rows.selectBefore, rows.values + [time, time, .text(moment?.key.text ?? "~"), .integer(Int64(count))]
    ) { row in
      let mark = PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0)))
      return TimedPost(KnownPost(mark: mark, json: rows.json(row)), at: rows.time(row))
    }
  }

  package func post(_ id: PostID, in scope: ArchiveScope) throws(StorageError) -> KnownPost? {
    let condition = try condition(of: scope, isShown: true).map { " AND \($0)" } ?? ""
    let found = try connection.first(
      "SELECT key, id, post, row FROM posts WHERE id = ? AND post IS NOT NULL\(condition) ORDER BY key DESC LIMIT 1",
      [.text(id.text)]
    ) { row in (key: row.text(0), id: PostID(row.text(1)), json: row.bytes(2), row: row.rowID(3)) }
    guard let found else { return nil }
    return KnownPost(
      mark: PostPosition(id: found.id, key: StoredKey.key(found.key)),
      json: try shownForm(found.json, ofRow: found.row, isInHome: StoredKey.isInHome(found.key), scope))
  }

  package func ids(
    _ ids: Set<PostID>, in timeline: TimelineName
  ) throws(StorageError) -> Set<PostID> {
    guard let number = try number(of: timeline) else { return [] }
    var found: Set<PostID> = []
    for id in ids {
      let values: [SQLiteValue] = [.text(id.text), .integer(number)]
      if try connection.first(Self.selectEntryOfPost, values, { _ in true }) == true { found.insert(id) }
    }
    return found
  }

  static let selectEntryOfPost =
    "SELECT 1 FROM entries WHERE row IN (SELECT row FROM posts WHERE id = ?) AND timeline = ? LIMIT 1"

  /// Counts the posts in the fetched part of the timeline, up to a limit. Imported posts are below it and do not count.
  package func countOfFetchedPosts(of timeline: TimelineName, upTo limit: Int) throws(StorageError) -> Int {
    func fetched() throws(StorageError) -> DatabaseMemory.FetchedPosts {
      guard let bottom = try spans(of: timeline).bottom else {
        return DatabaseMemory.FetchedPosts(limit: limit, count: 0)
      }
      let count = try count(of: timeline, "key >= ?", [.text(bottom.oldest.key.text)], upTo: limit)
      return DatabaseMemory.FetchedPosts(limit: limit, count: count)
    }
    let known = try remembered(\.fetched, of: timeline, fetched)
    return known.limit == limit ? known.count : try fetched().count
  }

  package func countOfPosts(
    of timeline: TimelineName, above cursor: PageCursor, upTo limit: Int
  ) throws(StorageError) -> Int {
    guard let rows = try rows(of: timeline) else { return 0 }
    return try count(
      of: timeline, "key >= (SELECT oldest_key FROM \(rows.spans) WHERE older_cursor = ?)",
      rows.values + [.text(cursor.text)], upTo: limit)
  }

  package func countOfPosts(
    of timeline: TimelineName, above key: PostKey, upTo limit: Int
  ) throws(StorageError) -> Int {
    try count(of: timeline, "key > ? AND post IS NOT NULL", [.text(key.text)], upTo: limit)
  }

  private func count(
    of timeline: TimelineName, _ condition: String, _ values: [SQLiteValue], upTo limit: Int
  ) throws(StorageError) -> Int {
    guard let rows = try rows(of: timeline) else { return 0 }
    let sql = "SELECT count(*) FROM (SELECT 1 FROM \(rows.posts) WHERE \(condition) LIMIT ?)"
    return try connection.first(sql, rows.values + values + [.integer(Int64(limit))]) { $0.amount(0) } ?? 0
  }

  /// Returns where to request newer posts from: the newest stored post that is at least `overlap` older than the newest one,
  /// so that late posts are fetched too. It is within the newest span; if necessary, it is the span's oldest post. Without an
  /// overlap, it is the newest known position, even if an edited version has replaced the post there.
  /// - Returns: `nil` if no post is stored.
  package func sincePosition(
    of timeline: TimelineName, overlap: Duration
  ) throws(StorageError) -> PostPosition? {
    guard let top = try spans(of: timeline).top else { return nil }
    if overlap == .zero { return top.newest }
    func since() throws(StorageError) -> DatabaseMemory.SincePosition {
      DatabaseMemory.SincePosition(
        overlap: overlap, position: try mark(of: timeline, at: overlap, below: top.newest, downTo: top.oldest))
    }
    let known = try remembered(\.since, of: timeline, since)
    return known.overlap == overlap ? known.position : try since().position
  }

  /// Returns the stored post where a request for the posts missing in a gap begins. It is `overlap` older than the gap's lower edge and has
  /// some posts above it, so that the page overlaps known posts even if some of these have been deleted in the meantime.
  /// - Returns: `nil` if nothing is stored below the edge, or without an overlap.
  package func overlapPosition(
    of timeline: TimelineName, below gap: Gap, overlap: Duration
  ) throws(StorageError) -> PostPosition? {
    guard overlap > .zero, let rows = try rows(of: timeline),
      let span = try spans(of: timeline).all.first(where: { $0.newest == gap.after })
    else { return nil }
    let byTime = try mark(of: timeline, at: overlap, below: span.newest, downTo: span.oldest)
    let byCount = try connection.first(
      """
      SELECT key, id FROM \(rows.posts) WHERE key BETWEEN ? AND ? AND post IS NOT NULL ORDER BY key DESC LIMIT 1 OFFSET ?
      """,
      rows.values + [.text(span.oldest.key.text), .text(span.newest.key.text), .integer(Self.overlapInPosts)]
    ) { PostPosition(id: PostID($0.text(1)), key: PostKey($0.text(0))) }
    return min(byTime, byCount ?? span.oldest)
  }

  /// The number of known posts that a page filling a gap should include.
  private static let overlapInPosts: Int64 = 5

  /// Returns the newest post of a span that is at least `overlap` older than its newest post; if there is none, the span's oldest post.
  private func mark(
    of timeline: TimelineName, at overlap: Duration, below top: PostPosition, downTo oldest: PostPosition
  ) throws(StorageError) -> PostPosition {
    guard let rows = try rows(of: timeline) else { return top }
    let newest = try connection.first(
      "SELECT created_at FROM \(rows.posts) WHERE key = ?", rows.values + [.text(top.key.text)]
    ) { $0.time(0) }
    // The post was removed, so this position is the only one known to be correct.
    guard let newest else { return top }
    let mark = try connection.first(
      "SELECT key, id FROM \(rows.posts) WHERE key BETWEEN ? AND ? AND created_at <= ? ORDER BY key DESC LIMIT 1",
      rows.values + [.text(oldest.key.text), .text(top.key.text), .integer((newest - overlap).milliseconds)]
    ) { PostPosition(id: PostID($0.text(1)), key: PostKey($0.text(0))) }
    return mark ?? oldest
  }
}

extension AccountDatabase {
  /// Returns the rows of a timeline; `nil` if the database does not contain the timeline.
  func rows(of timeline: TimelineName) throws(StorageError) -> TimelineRows? {
    timeline == .home ? .home : try number(of: timeline).map { TimelineRows(number: $0) }
  }
}
