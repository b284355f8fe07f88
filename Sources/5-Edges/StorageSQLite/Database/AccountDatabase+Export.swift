internal import Formats
internal import JSON
package import Storage
package import Time
internal import Timeline

extension AccountDatabase {
  /// Passes all stored posts of a scope to a closure, newest first and a few rows at a time, as of a single moment. Events without a post
  /// follow, by timeline.
  ///
  /// The write-ahead log cannot be reset during the export, and grows if the reader pauses for hours.
  /// - Parameters:
  ///   - since: the earliest publication time; `until` itself is excluded.
  ///   - take: receives each row. If it throws, the export ends.
  /// - Throws: `StorageError`, or the error that `take` throws.
  package func export(
    since: Timestamp? = nil, until: Timestamp? = nil, in scope: ArchiveScope = .withoutPrivate,
    _ take: (ArchivedPost) throws -> Void
  ) throws {
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    let condition = try condition(of: scope, isShown: false)
    let names = try seesOthers() ? OtherTimelineTables.names(in: connection).filter { scope.includes($0.value) } : [:]
    var below: PostKey?
    while true {
      let rows = try rows(below: below, since: since, until: until, condition)
      guard let last = rows.last else { break }
      for row in rows { try take(try post(of: try withHiddenContent(row), in: names, scope)) }
      below = last.mark.key
    }
    for (number, name) in names.sorted(by: { $0.value.description < $1.value.description }) {
      var below: PostKey?
      while true {
        let events = try events(of: name, number, below: below, since: since, until: until)
        guard let last = events.last else { break }
        for event in events { try take(event) }
        below = last.mark.key
      }
    }
  }

  /// Returns a timeline's newest events without a post below a key, newest first.
  private func events(
    of timeline: TimelineName, _ number: Int64, below key: PostKey?, since: Timestamp?, until: Timestamp?
  ) throws(StorageError) -> [ArchivedPost] {
    // '~' sorts after all keys.
    try connection.all(
      """
      SELECT key, id, at, notice FROM entries WHERE timeline = ? AND key < ? AND \(Self.isEventOnly) AND +at >= ? AND +at < ?
      ORDER BY key DESC LIMIT ?
      """,
      [
        .integer(number), .text(key?.text ?? "~"), .integer(since?.milliseconds ?? .min),
        .integer(until?.milliseconds ?? .max), .integer(Self.step),
      ]
    ) { row in
      let id = PostID(row.text(1))
      return ArchivedPost(
        mark: PostPosition(id: id, key: PostKey(row.text(0))), createdAt: row.time(2),
        json: PostJSON.bytes(ofEvent: row.bytes(3), id, at: row.time(2)), source: [], edits: [], deletedAt: nil,
        timelines: [PostTimeline(timeline)])
    }
  }

  /// The condition on `entries` that is true for an event without a post.
  private static let isEventOnly = "row IS NULL AND notice <> '\(Notice.erased)'"

  /// Returns the number of rows that `export` passes.
  package func countOfExported(
    since: Timestamp? = nil, until: Timestamp? = nil, in scope: ArchiveScope = .withoutPrivate
  ) throws(StorageError) -> Int {
    let condition = try condition(of: scope, isShown: false).map { " AND \($0)" } ?? ""
    let times: [SQLiteValue] = [.integer(since?.milliseconds ?? .min), .integer(until?.milliseconds ?? .max)]
    let posts = try connection.first(
      "SELECT count(*) FROM posts WHERE created_at >= ? AND created_at < ?\(condition)", times
    ) { $0.amount(0) }
    guard try seesOthers() else { return posts ?? 0 }
    let numbers = try OtherTimelineTables.names(in: connection).filter { scope.includes($0.value) }.keys.map(
      String.init)
    let events = try connection.first(
      """
      SELECT count(*) FROM entries
      WHERE \(Self.isEventOnly) AND at >= ? AND at < ? AND timeline IN (\(numbers.joined(separator: ", ")))
      """, times
    ) { $0.amount(0) }
    return (posts ?? 0) + (events ?? 0)
  }

  private struct Row {
    let row: Int64
    let isInHome: Bool
    let mark: PostPosition
    let createdAt: Timestamp
    var json: [UInt8]?
    var source: [UInt8]
    let deletedAt: Timestamp?
  }

  /// The number of rows held in memory.
  private static let step: Int64 = 200

  /// Returns the newest rows below a key, newest first. The posts that home does not contain are a range of stored keys of their own, so both
  /// ranges are read and merged.
  private func rows(
    below key: PostKey?, since: Timestamp?, until: Timestamp?, _ condition: String?
  ) throws(StorageError) -> [Row] {
    // '~' sorts after all keys.
    let key = key ?? PostKey("~")
    let inHome = try rows(from: StoredKey.lowestOfHome, below: key.text, since: since, until: until, condition)
    guard try seesOthers() else { return inHome }
    let outside = try rows(
      from: "", below: StoredKey.text(key, isInHome: false), since: since, until: until, condition)
    return Array((inHome + outside).sorted { $0.mark > $1.mark }.prefix(Int(Self.step)))
  }

  private func rows(
    from lowest: String, below key: String, since: Timestamp?, until: Timestamp?, _ condition: String?
  ) throws(StorageError) -> [Row] {
    // The '+' makes SQLite use the order of keys. With the index on times, each step would sort all remaining
    // rows.
    try connection.all(
      """
      SELECT row, key, id, created_at, post, source, deleted_at FROM posts
      WHERE key >= ? AND key < ? AND +created_at >= ? AND +created_at < ?\(condition.map { " AND \($0)" } ?? "")
      ORDER BY key DESC LIMIT ?
      """,
      [
        .text(lowest), .text(key), .integer(since?.milliseconds ?? .min), .integer(until?.milliseconds ?? .max),
        .integer(Self.step),
      ]
    ) { row in
      Row(
        row: row.rowID(0), isInHome: StoredKey.isInHome(row.text(1)),
        mark: PostPosition(id: PostID(row.text(2)), key: StoredKey.key(row.text(1))),
        createdAt: row.time(3), json: row.isNull(4) ? nil : row.bytes(4),
        source: Self.source(row.bytes(5)), deletedAt: row.timeOrNull(6))
    }
  }

  /// Returns the row. If a filter hides the post, the row includes its content.
  private func withHiddenContent(_ row: Row) throws(StorageError) -> Row {
    guard row.json == nil, row.deletedAt == nil else { return row }
    var row = row
    try connection.run("SELECT post, source FROM hidden WHERE row = ?", [.integer(row.row)]) { hidden in
      (row.json, row.source) = (hidden.bytes(0), Self.source(hidden.bytes(1)))
    }
    return row
  }

  /// Returns the provider's JSON if it is valid, because it becomes part of a JSON line.
  private static func source(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.isEmpty { return [] }
    var cursor = JSONCursor(bytes)
    do {
      let value = try cursor.skip()
      try cursor.end()
      return Array(bytes[value])
    } catch { return [] }
  }

  /// Returns the timelines of the scope that contain a post.
  private func timelines(
    of row: Row, _ names: [Int64: TimelineName], _ scope: ArchiveScope
  ) throws(StorageError) -> [PostTimeline] {
    var timelines = row.isInHome && scope.includes(.home) ? [PostTimeline.home] : []
    if names.isEmpty { return timelines }
    try connection.run(
      "SELECT timeline, key, notice FROM entries JOIN timelines ON number = timeline WHERE row = ? ORDER BY name, key",
      [.integer(row.row)]
    ) { (entry) throws(StorageError) in
      guard let name = names[entry.rowID(0)] else { return }
      let key = PostKey(entry.text(1))
      let notice = entry.isNull(2) ? nil : Notice(stored: entry.bytes(2))
      timelines.append(PostTimeline(name, key: notice == nil && key == row.mark.key ? nil : key, notice: notice))
    }
    return timelines
  }

  private func post(
    of row: Row, in names: [Int64: TimelineName], _ scope: ArchiveScope
  ) throws(StorageError) -> ArchivedPost {
    let edits = try connection.all(
      "SELECT until, id, text FROM edits WHERE row = ? ORDER BY until", [.integer(row.row)]
    ) {
      ImportedPost.Edit(
        until: $0.time(0), id: PostID($0.text(1)), text: $0.text(2))
    }
    return ArchivedPost(
      mark: row.mark, createdAt: row.createdAt, json: row.json, source: row.source, edits: edits,
      deletedAt: row.deletedAt, timelines: try timelines(of: row, names, scope))
  }
}
