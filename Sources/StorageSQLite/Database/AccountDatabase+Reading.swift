internal import CivilTime
internal import JSON
internal import SQLite
package import Storage
package import Timeline

extension AccountDatabase {
  package func state() throws(StorageError) -> AccountState {
    try connection.first(missingColumns.isEmpty ? AccountState.select : selectOfOlderState) { AccountState($0) }
      ?? AccountState()
  }

  private var selectOfOlderState: String {
    let columns = AccountState.columns.map { missingColumns.contains($0) ? "NULL" : $0 }
    return "SELECT \(columns.joined(separator: ", ")) FROM state WHERE row = 1"
  }

  /// What is known of the timeline.
  package func spans() throws(StorageError) -> Spans {
    Spans(
      // What no span can be is not taken for one, whoever wrote it.
      try connection.all(
        """
        SELECT newest_key, newest_id, oldest_key, oldest_id, older_cursor FROM spans WHERE oldest_key <= newest_key
        """
      ) { row in
        Span(
          newest: PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0))),
          oldest: PostPosition(id: PostID(row.text(3)), key: PostKey(row.text(2))),
          older: row.textOrNull(4).map { PageCursor($0) })
      })
  }

  /// The newest posts, newest first, at most so many.
  package func newestPosts(_ count: Int) throws(StorageError) -> [KnownPost] {
    try posts(below: nil, atMost: count)
  }

  /// Posts below a place, newest first, at most so many; what was deleted is none.
  package func posts(below key: PostKey?, atMost count: Int) throws(StorageError) -> [KnownPost] {
    // '~' stands behind all that a key can begin with.
    try connection.all(
      "SELECT key, id, post FROM posts WHERE key < ? AND post IS NOT NULL ORDER BY key DESC LIMIT ?",
      [.text(key?.text ?? "~"), .integer(Int64(count))]
    ) { row in
      KnownPost(mark: PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0))), json: row.bytes(2))
    }
  }

  /// How many posts are kept, in all.
  package func countOfPosts() throws(StorageError) -> Int {
    Int(try connection.first("SELECT count(*) FROM posts WHERE post IS NOT NULL") { $0.integer(0) } ?? 0)
  }

  /// How many posts are known of the timeline as far as it was fetched, counted up to a limit: what was brought in from elsewhere
  /// lies below and does not count.
  package func countOfFetchedPosts(upTo limit: Int) throws(StorageError) -> Int {
    guard let bottom = try spans().bottom else { return 0 }
    return try count("key >= ?", [.text(bottom.oldest.key.text)], upTo: limit)
  }

  /// How many known posts lie above what this cursor asks for, counted up to a limit; 0 for one that no span has.
  package func countOfPosts(above cursor: PageCursor, upTo limit: Int) throws(StorageError) -> Int {
    try count("key >= (SELECT oldest_key FROM spans WHERE older_cursor = ?)", [.text(cursor.text)], upTo: limit)
  }

  /// How many posts are newer than a place, counted up to a limit; what was deleted is none.
  package func countOfPosts(above key: PostKey, upTo limit: Int) throws(StorageError) -> Int {
    try count("key > ? AND post IS NOT NULL", [.text(key.text)], upTo: limit)
  }

  private func count(_ condition: String, _ values: [SQLiteValue], upTo limit: Int) throws(StorageError) -> Int {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM posts WHERE \(condition) LIMIT ?)"
    return Int(try connection.first(sql, values + [.integer(Int64(limit))]) { $0.integer(0) } ?? 0)
  }

  /// The post since which to ask for newer ones: the newest one that is older than the newest known by `overlap`, so that
  /// posts that appear late among known ones are seen too. It lies within the newest span, or is that span's oldest.
  /// Without overlap it is the newest place known, also where the post that stood there has another version now.
  /// - Returns: `nil` when nothing is known.
  package func sinceMark(overlap: Duration) throws(StorageError) -> PostPosition? {
    guard let top = try spans().top else { return nil }
    if overlap == .zero { return top.newest }
    return try mark(at: overlap, below: top.newest, downTo: top.oldest)
  }

  /// The known post from which to ask for what lies in a gap: older by `overlap` than the gap's lower edge, and some posts below it, so
  /// that a page that has reached what is known shows it even where some of these posts were deleted meanwhile.
  /// - Returns: `nil` where nothing is known below the edge, or without overlap.
  package func overlapMark(below gap: Gap, overlap: Duration) throws(StorageError) -> PostPosition? {
    guard overlap > .zero, let span = try spans().all.first(where: { $0.newest == gap.after }) else { return nil }
    let byTime = try mark(at: overlap, below: span.newest, downTo: span.oldest)
    let byCount = try connection.first(
      "SELECT key, id FROM posts WHERE key BETWEEN ? AND ? AND post IS NOT NULL ORDER BY key DESC LIMIT 1 OFFSET ?",
      [.text(span.oldest.key.text), .text(span.newest.key.text), .integer(Self.overlapInPosts)]
    ) { PostPosition(id: PostID($0.text(1)), key: PostKey($0.text(0))) }
    return min(byTime, byCount ?? span.oldest)
  }

  /// How many known posts a page that fills a gap is to show.
  private static let overlapInPosts: Int64 = 5

  /// The newest post of a span that is older by `overlap` than the span's newest; the span's oldest where none is.
  private func mark(
    at overlap: Duration, below top: PostPosition, downTo oldest: PostPosition
  ) throws(StorageError) -> PostPosition {
    let newest = try connection.first("SELECT created_at FROM posts WHERE key = ?", [.text(top.key.text)]) {
      Timestamp(milliseconds: $0.integer(0))
    }
    // Removed since: then it is the only place that is known to be right.
    guard let newest else { return top }
    let mark = try connection.first(
      "SELECT key, id FROM posts WHERE key BETWEEN ? AND ? AND created_at <= ? ORDER BY key DESC LIMIT 1",
      [.text(oldest.key.text), .text(top.key.text), .integer((newest - overlap).milliseconds)]
    ) { PostPosition(id: PostID($0.text(1)), key: PostKey($0.text(0))) }
    return mark ?? oldest
  }
}
