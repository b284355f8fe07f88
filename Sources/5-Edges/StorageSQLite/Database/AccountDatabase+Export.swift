internal import JSON
package import Storage
package import Time
internal import Timeline

extension AccountDatabase {
  /// Passes all stored posts to a closure, newest first and a few rows at a time, as of a single moment.
  ///
  /// The write-ahead log cannot be reset during the export, and grows if the reader pauses for hours.
  /// - Parameters:
  ///   - since: the earliest publication time; `until` itself is excluded.
  ///   - take: receives each row. If it throws, the export ends.
  /// - Throws: `StorageError`, or the error that `take` throws.
  package func export(
    since: Timestamp? = nil, until: Timestamp? = nil, _ take: (ArchivedPost) throws -> Void
  ) throws {
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    var below: PostKey?
    while true {
      let rows = try rows(below: below, since: since, until: until)
      guard let last = rows.last else { return }
      for row in rows { try take(try post(of: try withHiddenContent(row))) }
      below = last.mark.key
    }
  }

  /// Returns the number of rows that `export` passes.
  package func countOfExported(since: Timestamp? = nil, until: Timestamp? = nil) throws(StorageError) -> Int {
    try connection.first(
      "SELECT count(*) FROM posts WHERE created_at >= ? AND created_at < ?",
      [.integer(since?.milliseconds ?? .min), .integer(until?.milliseconds ?? .max)]
    ) { $0.amount(0) } ?? 0
  }

  private struct Row {
    let row: Int64
    let mark: PostPosition
    let createdAt: Timestamp
    var json: [UInt8]?
    var source: [UInt8]
    let deletedAt: Timestamp?
  }

  /// The number of rows held in memory.
  private static let step: Int64 = 200

  private func rows(below key: PostKey?, since: Timestamp?, until: Timestamp?) throws(StorageError) -> [Row] {
    // '~' sorts after all keys. The '+' makes SQLite use the order of keys. With the index on times, each step would sort all remaining
    // rows.
    try connection.all(
      """
      SELECT row, key, id, created_at, post, source, deleted_at FROM posts
      WHERE key < ? AND +created_at >= ? AND +created_at < ? ORDER BY key DESC LIMIT ?
      """,
      [
        .text(key?.text ?? "~"), .integer(since?.milliseconds ?? .min), .integer(until?.milliseconds ?? .max),
        .integer(Self.step),
      ]
    ) { row in
      Row(
        row: row.rowID(0), mark: PostPosition(id: PostID(row.text(2)), key: PostKey(row.text(1))),
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

  private func post(of row: Row) throws(StorageError) -> ArchivedPost {
    let edits = try connection.all(
      "SELECT until, id, text FROM edits WHERE row = ? ORDER BY until", [.integer(row.row)]
    ) {
      ImportedPost.Edit(
        until: $0.time(0), id: PostID($0.text(1)), text: $0.text(2))
    }
    return ArchivedPost(
      mark: row.mark, createdAt: row.createdAt, json: row.json, source: row.source, edits: edits,
      deletedAt: row.deletedAt)
  }
}
