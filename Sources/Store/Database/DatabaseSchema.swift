/// The tables of an account's database, `user_version` 1.
enum DatabaseSchema {
  static let version: Int64 = 1

  /// What an opened file is.
  enum Finding: Equatable {
    case empty, current
    case newer(Int64)
    /// A database, but none of ours.
    case foreign
  }

  /// Looks at a file without changing it. A file that is no database throws.
  static func find(in connection: SQLiteConnection) throws(SQLiteError) -> Finding {
    let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
    let tables = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
    if version > Self.version { return .newer(version) }
    if version == Self.version { return Set(["posts", "spans", "state"]).isSubset(of: tables) ? .current : .foreign }
    return version == 0 && tables.isEmpty ? .empty : .foreign
  }

  static func create(in connection: SQLiteConnection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      for statement in statements { try connection.run(statement) }
    }
  }

  private static let statements = [
    // Keys are compared byte by byte (BINARY), as PostKey does, so that 'the newest N' is a walk from the index's end.
    // With rowid: a post is about a kilobyte, and without it the tree of the key would carry all of them.
    """
    CREATE TABLE posts (
      key TEXT PRIMARY KEY NOT NULL,
      id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      post BLOB NOT NULL
    ) STRICT
    """,
    // Each a stretch without a hole; what lies between two is a gap, and not stored.
    """
    CREATE TABLE spans (
      newest_key TEXT PRIMARY KEY NOT NULL,
      newest_id TEXT NOT NULL,
      oldest_key TEXT NOT NULL,
      oldest_id TEXT NOT NULL,
      older_cursor TEXT
    ) STRICT
    """,
    """
    CREATE TABLE state (
      row INTEGER PRIMARY KEY CHECK (row = 1),
      server TEXT, user_id TEXT, user_screen_name TEXT, user_name TEXT, user_avatar_url TEXT,
      refreshed_at INTEGER, next_refresh_at INTEGER, stale_since INTEGER,
      problem_code TEXT, problem_message TEXT, problem_retry_at INTEGER,
      entity_tag TEXT,
      rate_limit INTEGER, rate_remaining INTEGER, rate_reset INTEGER
    ) STRICT
    """,
    "INSERT INTO state (row) VALUES (1)",
    "PRAGMA user_version = \(version)",
  ]
}
