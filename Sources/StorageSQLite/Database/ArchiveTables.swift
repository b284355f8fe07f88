internal import CivilTime
internal import SQLite
internal import Storage

/// The tables of the posts that are kept, as the schema's version 5 has them.
///
/// `posts.post` is the JSON that is published, `source` the provider's own words. A post that was deleted has neither: its id and
/// its time stay, so that it does not come back as a new one. So every reader of `posts` sees a deletion at once, while the text may be
/// kept in `hidden` for some time.
enum ArchiveTables {
  static let statements = inVersion4 + newInVersion5

  private static let inVersion4 = [
    // Keys are compared byte by byte (BINARY), as PostKey does, so that 'the newest N' is a walk from the index's end.
    """
    CREATE TABLE posts (
      row INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      author TEXT,
      post TEXT,
      source TEXT,
      seen_at INTEGER,
      edited_at INTEGER,
      deleted_at INTEGER
    ) STRICT
    """,
    "CREATE INDEX posts_by_id ON posts (id)",
    "CREATE INDEX posts_by_time ON posts (created_at)",
    "CREATE INDEX posts_by_author ON posts (author)",
    // As they were seen last.
    """
    CREATE TABLE authors (
      id TEXT PRIMARY KEY NOT NULL,
      screen_name TEXT NOT NULL COLLATE NOCASE,
      name TEXT NOT NULL,
      avatar_url TEXT,
      seen_at INTEGER
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX authors_by_screen_name ON authors (screen_name)",
    // What a post said before its text was changed, and until when.
    """
    CREATE TABLE edits (
      row INTEGER NOT NULL REFERENCES posts (row) ON DELETE CASCADE,
      until INTEGER NOT NULL,
      id TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (row, until)
    ) STRICT, WITHOUT ROWID
    """,
    // Whose words were removed on purpose: they are not taken again inside another post either.
    "CREATE TABLE purged (id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID",
    // How many posts were published in each hour since 1970, so that nobody has to count them.
    "CREATE TABLE hours (hour INTEGER PRIMARY KEY, posts INTEGER NOT NULL) STRICT",
  ]

  /// What version 4 did not have.
  static let newInVersion5 = [
    // Which posts quote which.
    "CREATE TABLE quotes (row INTEGER PRIMARY KEY REFERENCES posts (row) ON DELETE CASCADE, id TEXT NOT NULL) STRICT",
    "CREATE INDEX quotes_by_id ON quotes (id)",
    // The parts of the search index. No post of a part has a greater key, or another time than between these two; there may be fewer.
    """
    CREATE TABLE search_parts (
      part INTEGER PRIMARY KEY,
      newest_key TEXT NOT NULL,
      oldest_at INTEGER NOT NULL,
      newest_at INTEGER NOT NULL
    ) STRICT
    """,
    // Up to which row the posts are in the table `search`, the index of version 4; empty where there is no such table.
    "CREATE TABLE undivided_search (last_row INTEGER NOT NULL) STRICT",
    // Purges that were begun and have not ended.
    """
    CREATE TABLE purges (
      number INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      argument TEXT NOT NULL,
      last_row INTEGER NOT NULL
    ) STRICT
    """,
    // The texts of posts that were deleted at their server, until they are erased: a deletion may turn out to be a mistake. The
    // former texts of such a post stay in `edits` as long.
    """
    CREATE TABLE hidden (
      row INTEGER PRIMARY KEY REFERENCES posts (row) ON DELETE CASCADE,
      post TEXT NOT NULL,
      source TEXT,
      edited_at INTEGER,
      hidden_at INTEGER NOT NULL
    ) STRICT
    """,
    // Posts that their timeline showed no more: when the server first said that the post is gone, where it did, and before which moment
    // it is not asked again.
    """
    CREATE TABLE deletion_checks (
      row INTEGER PRIMARY KEY REFERENCES posts (row) ON DELETE CASCADE,
      gone_at INTEGER,
      again_at INTEGER NOT NULL
    ) STRICT
    """,
  ]

  /// A full-text index of the texts and authors of posts by their rows, without the texts, which are in `posts`. Taking an entry out needs
  /// exactly what was put in (sqlite.org/fts5.html#contentless_tables).
  static func createSearch(_ name: String) -> String {
    """
    CREATE VIRTUAL TABLE \(name) USING fts5(
      text, author, content='', tokenize="unicode61 remove_diacritics 2"
    )
    """
  }
}

/// What a transaction changes in the numbers of posts, written at its end in as few rows as can be.
struct ArchiveTally {
  private var kept = 0
  private var hours: [Int64: Int] = [:]

  /// - Parameter count: 1 for a post that came, -1 for one that went.
  mutating func note(_ count: Int, publishedAt time: Timestamp) {
    kept += count
    hours[time.hour, default: 0] += count
  }

  func write(to connection: SQLiteConnection) throws(StorageError) {
    guard !hours.isEmpty else { return }
    for (hour, count) in hours where count != 0 {
      try connection.run(
        "INSERT INTO hours (hour, posts) VALUES (?1, ?2) ON CONFLICT (hour) DO UPDATE SET posts = posts + ?2",
        [.integer(hour), .integer(Int64(count))])
      if count < 0 { try connection.run("DELETE FROM hours WHERE hour = ? AND posts <= 0", [.integer(hour)]) }
    }
    try connection.run("UPDATE state SET kept = coalesce(kept, 0) + ? WHERE row = 1", [.integer(Int64(kept))])
  }
}

extension Timestamp {
  /// Whole hours since 1970.
  var hour: Int64 { (milliseconds - (milliseconds % 3_600_000 + 3_600_000) % 3_600_000) / 3_600_000 }
}
