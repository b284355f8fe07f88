package import CivilTime
internal import JSON
internal import SQLite
package import Storage
internal import Timeline

extension AccountDatabase {
  /// Hands out all that is kept, the newest first, a few rows at a time: what they were at one moment, whatever is written meanwhile.
  ///
  /// As long as it runs the write-ahead log cannot be emptied; a reader that stops for hours lets it grow.
  /// - Parameters:
  ///   - since: from this moment on; `until` itself is not in it.
  ///   - take: gets each row, and ends it all by throwing.
  /// - Throws: `StorageError`, or what `take` throws.
  package func export(
    since: Timestamp? = nil, until: Timestamp? = nil, _ take: (ArchivedPost) throws -> Void
  ) throws {
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    var below: PostKey?
    while true {
      let rows = try rows(below: below, since: since, until: until)
      guard let last = rows.last else { return }
      for row in rows { try take(try post(of: row)) }
      below = last.mark.key
    }
  }

  private struct Row {
    let row: Int64
    let mark: PostPosition
    let createdAt: Timestamp
    let json: [UInt8]?
    let source: [UInt8]
    let deletedAt: Timestamp?
  }

  /// How many rows are in memory.
  private static let step: Int64 = 200

  private func rows(below key: PostKey?, since: Timestamp?, until: Timestamp?) throws(StorageError) -> [Row] {
    // '~' stands behind all that a key can begin with. The '+' keeps SQLite to the order of keys: by the index of times it would sort
    // all that is left for each step.
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
        row: row.integer(0), mark: PostPosition(id: PostID(row.text(2)), key: PostKey(row.text(1))),
        createdAt: Timestamp(milliseconds: row.integer(3)), json: row.isNull(4) ? nil : row.bytes(4),
        source: Self.source(row.bytes(5)), deletedAt: row.integerOrNull(6).map { Timestamp(milliseconds: $0) })
    }
  }

  /// What a provider has written stands in a line of JSON, so it must be JSON.
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
        until: Timestamp(milliseconds: $0.integer(0)), id: PostID($0.text(1)), text: $0.text(2))
    }
    return ArchivedPost(
      mark: row.mark, createdAt: row.createdAt, json: row.json, source: row.source, edits: edits,
      deletedAt: row.deletedAt)
  }
}
