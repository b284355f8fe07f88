internal import Time

/// The tables of stored posts.
///
/// `posts.post` is the published JSON, and `source` is the provider's JSON. A deleted post has neither; only its id and time are kept, so
/// that it is not stored again. Every reader of `posts` therefore sees a deletion immediately, even if `hidden` keeps the text for some
/// time. A post hidden by the user's filter also has neither, but its `deleted_at` is NULL, and `hidden` keeps its content indefinitely.
enum ArchiveTables {
  static let statements = inVersion4 + newInVersion5

  private static let inVersion4 = [
    // Keys are compared byte by byte (BINARY), as in PostKey, so the newest posts are read from the end of the index.
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
    // The most recently seen names.
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
    // Earlier versions of edited posts, and the times when they were replaced.
    """
    CREATE TABLE edits (
      row INTEGER NOT NULL REFERENCES posts (row) ON DELETE CASCADE,
      until INTEGER NOT NULL,
      id TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (row, until)
    ) STRICT, WITHOUT ROWID
    """,
    // The ids of purged posts. The text of these posts is not stored again, even in quotes.
    "CREATE TABLE purged (id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID",
    // The number of posts published in each hour since 1970, so that reading it requires no counting.
    "CREATE TABLE hours (hour INTEGER PRIMARY KEY, posts INTEGER NOT NULL) STRICT",
  ]

  /// The tables that version 4 lacks.
  static let newInVersion5 = [
    // The quoted post of each quoting post.
    "CREATE TABLE quotes (row INTEGER PRIMARY KEY REFERENCES posts (row) ON DELETE CASCADE, id TEXT NOT NULL) STRICT",
    "CREATE INDEX quotes_by_id ON quotes (id)",
    // The parts of the search index. The keys and times of all posts in a part are within these bounds, which may be wider than needed.
    """
    CREATE TABLE search_parts (
      part INTEGER PRIMARY KEY,
      newest_key TEXT NOT NULL,
      oldest_at INTEGER NOT NULL,
      newest_at INTEGER NOT NULL
    ) STRICT
    """,
    // The last row whose post is in the `search` table, the version 4 index; empty if there is no such table.
    "CREATE TABLE undivided_search (last_row INTEGER NOT NULL) STRICT",
    // Unfinished purges.
    """
    CREATE TABLE purges (
      number INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      argument TEXT NOT NULL,
      last_row INTEGER NOT NULL
    ) STRICT
    """,
    // The text of posts that are not shown, because their server deleted them or a filter hides them. A deleted post's text is kept until
    // it is erased, because a report of a deletion can be wrong. Earlier versions stay in `edits` just as long.
    """
    CREATE TABLE hidden (
      row INTEGER PRIMARY KEY REFERENCES posts (row) ON DELETE CASCADE,
      post TEXT NOT NULL,
      source TEXT,
      edited_at INTEGER,
      hidden_at INTEGER NOT NULL
    ) STRICT
    """,
    // Posts missing from their timeline, with the times of the first report that they are gone and of the next check.
    """
    CREATE TABLE deletion_checks (
      row INTEGER PRIMARY KEY REFERENCES posts (row) ON DELETE CASCADE,
      gone_at INTEGER,
      again_at INTEGER NOT NULL
    ) STRICT
    """,
  ]

  /// The tokenizer of the search index (sqlite.org/fts5.html#tokenizers).
  static let tokenizer = "unicode61 remove_diacritics 2"

  /// Returns the statement that creates a full-text index of texts and authors by row, unless it exists. The text itself is stored only in
  /// `posts`. Removing an entry requires the exact text that was added (sqlite.org/fts5.html#contentless_tables).
  static func createSearch(_ name: String) -> String {
    """
    CREATE VIRTUAL TABLE IF NOT EXISTS \(name) USING fts5(
      text, author, content='', tokenize="\(tokenizer)"
    )
    """
  }
}

extension Timestamp {
  /// The number of full hours since 1970.
  var hour: Int64 { (milliseconds - (milliseconds % 3_600_000 + 3_600_000) % 3_600_000) / 3_600_000 }
}
