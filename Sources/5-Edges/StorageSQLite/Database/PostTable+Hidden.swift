internal import Formats
internal import Storage
internal import Time
internal import Timeline

/// Posts that are in the archive but not shown. Their content is in the `hidden` table, so that no reader of `posts` can show them by
/// mistake.
extension PostTable {
  /// Why a post is not shown.
  enum Absence {
    /// The server has reported the post as deleted. Its text is kept for some time, because the report may be wrong.
    case deleted
    /// The user's filter hides it. The row is not marked as deleted, and its content is kept like any other post's.
    case filtered
  }

  /// Removes a post like ``leaveTombstone(_:isIndexed:at:)``, but keeps its content.
  /// - Parameter stored: a post, or one that is filtered.
  mutating func setAside(_ stored: StoredPost, as absence: Absence, at now: Timestamp) throws(StorageError) {
    let deletedAt: Timestamp? =
      switch absence {
      case .deleted: now
      case .filtered: nil
      }
    if stored.json != nil {
      try connection.run(
        """
        INSERT INTO hidden (row, post, source, edited_at, hidden_at) SELECT row, post, source, edited_at, ? FROM posts
        WHERE row = ?
        """, [.integer(now.milliseconds), .integer(stored.row)])
      noteHidden()
      try emptyRow(stored, deletedAt: deletedAt)
    } else if stored.isFiltered, let deletedAt {
      try noteOthers(stored.row, added: -1)
      try connection.run(
        "UPDATE posts SET deleted_at = ? WHERE row = ?", [.integer(deletedAt.milliseconds), .integer(stored.row)])
      try connection.run(
        "UPDATE hidden SET hidden_at = ? WHERE row = ?", [.integer(deletedAt.milliseconds), .integer(stored.row)])
    }
  }

  /// Restores a hidden post, updated to the page's version. It stays hidden if a filter still hides it. A deleted post whose text was not
  /// kept stays deleted.
  mutating func restore(
    _ place: StoredPost, with written: WrittenPost, _ source: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StorageError) {
    guard let hidden = try hiddenPost(ofRow: place.row), let json = hidden.json else { return }
    var written = written
    written.post.editedAt = written.post.editedAt ?? hidden.editedAt
    let isUnchanged = written.bytes == json
    let isHidden = written.post.isHidden
    if isHidden, !hidden.isDeleted {
      if !isUnchanged { try updateFiltered(hidden, to: written, source, at: now) }
      return
    }
    try show(hidden, at: now)
    if isUnchanged, isHidden, let stored = try storedPost(at: hidden.key) {
      return try setAside(stored, as: .filtered, at: now)
    }
    try update(hidden, json, with: written, source, at: now)
  }

  /// Stores a new version of a post that stays hidden, invisible to readers of posts.
  private func updateFiltered(
    _ hidden: StoredPost, to written: WrittenPost, _ source: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StorageError) {
    var written = written
    if let before = hidden.post { try recordEdit(of: hidden, from: before, to: &written.post, at: now) }
    let post = written.post
    try connection.run(
      "UPDATE hidden SET post = ?, source = coalesce(?, source), edited_at = ? WHERE row = ?",
      [
        .utf8(written.bytes[...]), SQLiteValue(source),
        SQLiteValue(post.editedAt?.milliseconds), .integer(hidden.row),
      ])
    try connection.run(
      "UPDATE posts SET id = ?, created_at = ? WHERE row = ?",
      [.text(post.id.text), .integer(post.createdAt.milliseconds), .integer(hidden.row)])
  }

  /// The hidden posts with their rows of `posts`. With JOIN instead of CROSS JOIN, SQLite would scan `posts`, although few posts are hidden
  /// (sqlite.org/optoverview.html#manual_control_of_query_plans_using_cross_join).
  static let hiddenPosts = "hidden CROSS JOIN posts USING (row)"

  /// Returns a hidden post with its content.
  func hiddenPost(ofRow row: Int64) throws(StorageError) -> StoredPost? {
    try connection.first(
      "SELECT \(Self.hiddenColumns) FROM posts JOIN hidden USING (row) WHERE row = ?", [.integer(row)]
    ) { Self.storedPost($0) }
  }

  /// Shows all filtered posts, because the user has turned the filters off.
  mutating func showFiltered(at now: Timestamp) throws(StorageError) {
    guard try rareRows().hidden else { return }
    let filtered = try connection.all(
      "SELECT \(Self.hiddenColumns) FROM \(Self.hiddenPosts) WHERE deleted_at IS NULL ORDER BY row"
    ) { Self.storedPost($0) }
    for stored in filtered {
      guard let json = stored.json, let post = stored.post else { continue }
      try show(stored, at: now)
      try update(stored, json, with: WrittenPost(post.unfiltered), [], at: now)
    }
  }

  /// Moves a hidden post back.
  /// - Parameter hidden: its row in `hidden`.
  mutating func show(_ hidden: StoredPost, at now: Timestamp) throws(StorageError) {
    try connection.run(
      """
      UPDATE posts SET (post, source, edited_at) = (SELECT post, source, edited_at FROM hidden WHERE row = ?1),
      author = ?2, deleted_at = NULL WHERE row = ?1
      """, [.integer(hidden.row), SQLiteValue(hidden.post?.author.id)])
    try connection.run("DELETE FROM hidden WHERE row = ?", [.integer(hidden.row)])
    if let post = hidden.post { try index(post, row: hidden.row, key: hidden.key, at: now) }
    try noteShown(hidden)
  }

  /// Erases the text of deleted posts hidden at or before a given time, leaving the same tombstones as
  /// ``leaveTombstone(_:isIndexed:at:)``.
  mutating func eraseDeleted(upTo moment: Timestamp, at now: Timestamp) throws(StorageError) {
    guard try rareRows().hidden else { return }
    try eraseHidden(
      connection.all(
        "SELECT row FROM \(Self.hiddenPosts) WHERE hidden_at <= ? AND deleted_at IS NOT NULL",
        [.integer(moment.milliseconds)]
      ) { $0.rowID(0) }, at: now)
  }

  /// Erases the text of hidden posts by row, including those in the search index, and leaves tombstones.
  mutating func eraseHidden(_ rows: [Int64], at now: Timestamp) throws(StorageError) {
    guard !rows.isEmpty else { return }
    for row in rows {
      try connection.run("DELETE FROM hidden WHERE row = ?", [.integer(row)])
      try connection.run("DELETE FROM edits WHERE row = ?", [.integer(row)])
      try connection.run(
        "UPDATE posts SET deleted_at = ? WHERE row = ? AND deleted_at IS NULL",
        [.integer(now.milliseconds), .integer(row)])
      try eraseTexts(ofEventsAbout: row)
    }
    let parts = Set(rows.map { SearchPart.number(ofRow: $0) })
    for part in try SearchPart.all(in: connection) where parts.contains(part.number) { try compactSearch(part.number) }
  }
}
