extension AccountDatabase {
  /// Reads the whole archive and says what does not fit, as it is at one moment. Changes nothing.
  ///
  /// Takes as long as reading the file does.
  /// - Throws: what is not the file's damage: damage is a problem like others.
  package func integrity() throws(SQLiteError) -> ArchiveIntegrity {
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    var problems: [String] = []
    var counts: (posts: Int, deleted: Int) = (0, 0)
    problems += try meetingDamage { () throws(SQLiteError) in
      let found = try connection.first("SELECT count(*) FILTER (WHERE post IS NOT NULL), count(*) FROM posts") {
        (Int($0.integer(0)), Int($0.integer(1)))
      }
      if let found { counts = (found.0, found.1 - found.0) }
      return []
    }
    problems += try meetingDamage { () throws(SQLiteError) in
      // sqlite.org/pragma.html#pragma_integrity_check: one row 'ok', or one for each problem. Older versions put all problems of the
      // pages into one row, with a heading.
      try connection.all("PRAGMA integrity_check(10)") { $0.text(0) }.filter { $0 != "ok" }
        .flatMap { $0.split(separator: "\n").map(String.init) }
    }
    problems += try meetingDamage { () throws(SQLiteError) in
      try connection.all("PRAGMA foreign_key_check") { $0.text(0) }.prefix(10).map { "a row of \($0) has no post" }
    }
    for (sql, words) in Self.questions {
      problems += try meetingDamage { () throws(SQLiteError) in
        let count = try connection.first(sql) { $0.integer(0) } ?? 0
        return count > 0 ? ["\(count) \(words)"] : []
      }
    }
    return ArchiveIntegrity(posts: counts.posts, deleted: counts.deleted, problems: Self.distinct(problems))
  }

  /// What must be counted as none, and what it is when it is not.
  private static let questions = [
    ("SELECT count(*) FROM posts WHERE post IS NOT NULL AND NOT json_valid(post)", "posts cannot be read"),
    (
      "SELECT count(*) FROM posts WHERE (post IS NULL) IS NOT (deleted_at IS NOT NULL)",
      "posts are neither whole nor deleted"
    ),
    // The index's own table of rows (sqlite.org/fts5.html#the_docsize_table): asking the index itself would need writing.
    (
      "SELECT count(*) FROM posts WHERE post IS NOT NULL AND row NOT IN (SELECT id FROM search_docsize)",
      "posts are not in the index of words"
    ),
    (
      "SELECT count(*) FROM search_docsize WHERE id NOT IN (SELECT row FROM posts WHERE post IS NOT NULL)",
      "entries of the index of words have no post"
    ),
    (
      """
      SELECT count(*) FROM (
        SELECT hour, posts FROM hours
        EXCEPT SELECT (created_at - (created_at % 3600000 + 3600000) % 3600000) / 3600000 AS hour, count(*)
        FROM posts WHERE post IS NOT NULL GROUP BY 1)
      """, "hours are counted wrongly"
    ),
    (
      "SELECT abs(coalesce(kept, 0) - (SELECT count(*) FROM posts WHERE post IS NOT NULL)) FROM state WHERE row = 1",
      "posts more or fewer are kept than were counted"
    ),
    (
      "SELECT count(*) FROM posts WHERE post IS NOT NULL AND author NOT IN (SELECT id FROM authors)",
      "posts have no author"
    ),
    ("SELECT count(*) FROM spans WHERE oldest_key > newest_key", "stretches of the timeline end before they begin"),
  ]

  /// Does a part of the looking; that it meets damage is one of the things that are wrong.
  private func meetingDamage(_ look: () throws(SQLiteError) -> [String]) throws(SQLiteError) -> [String] {
    do throws(SQLiteError) { return try look() } catch {
      guard error.isDamage || error.isIO else { throw error }
      return [error.message]
    }
  }

  private static func distinct(_ problems: [String]) -> [String] {
    var seen: Set<String> = []
    return problems.filter { seen.insert($0).inserted }
  }
}
