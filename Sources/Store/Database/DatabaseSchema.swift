internal import Settings

/// The tables of an account's database, `user_version` 3. Version 1 had no words of failures and spending, version 2 the posts of
/// one day alone.
enum DatabaseSchema {
  static let version: Int64 = 3

  /// What an opened file is.
  enum Finding: Equatable {
    case empty, current
    /// Ours, from the version before that it says.
    case older(Int64)
    case newer(Int64)
    /// A database, but none of ours.
    case foreign
  }

  /// Looks at a file without changing it. A file that is no database throws.
  static func find(in connection: SQLiteConnection) throws(SQLiteError) -> Finding {
    let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
    let tables = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
    if version > Self.version { return .newer(version) }
    if version > 0 {
      guard Set(["posts", "spans", "state"]).isSubset(of: tables) else { return .foreign }
      return version == Self.version ? .current : .older(version)
    }
    return tables.isEmpty ? .empty : .foreign
  }

  static func create(in connection: SQLiteConnection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      for statement in statements + spending { try connection.run(statement) }
    }
  }

  /// Brings a file of a version before to this one, without touching what it holds.
  static func upgrade(_ connection: SQLiteConnection, from older: Int64) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      if older < 2 {
        for column in newInVersion2 { try connection.run("ALTER TABLE state ADD COLUMN \(column) INTEGER") }
      }
      for statement in spending { try connection.run(statement) }
      if older == 2 {
        // X was the only provider that charged, and users were not counted.
        try connection.run(
          """
          INSERT INTO days (day, posts, micro_usd) SELECT spending_day, spending_posts, spending_posts * ?
          FROM state WHERE spending_day IS NOT NULL AND spending_posts > 0
          """, [.integer(Prices.x.microUSDPerPost)])
        for column in ["spending_day", "spending_posts"] {
          try connection.run("ALTER TABLE state DROP COLUMN \(column)")
        }
      }
      try connection.run("PRAGMA user_version = \(version)")
    }
  }

  /// The columns of `state` that a file of version 1 does not have.
  static let newInVersion2 = ["asked_at", "failures"]

  private static let spending = [
    // Days since 1970, UTC. What is put aside for an answer that never comes stays there.
    """
    CREATE TABLE days (
      day INTEGER PRIMARY KEY,
      requests INTEGER NOT NULL DEFAULT 0,
      posts INTEGER NOT NULL DEFAULT 0,
      users INTEGER NOT NULL DEFAULT 0,
      micro_usd INTEGER NOT NULL DEFAULT 0,
      reserved_posts INTEGER NOT NULL DEFAULT 0,
      reserved_micro_usd INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    // What was charged on the last of these days, since it is charged once a day.
    "CREATE TABLE billed (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID",
  ]

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
      rate_limit INTEGER, rate_remaining INTEGER, rate_reset INTEGER,
      asked_at INTEGER, failures INTEGER
    ) STRICT
    """,
    "INSERT INTO state (row) VALUES (1)",
    "PRAGMA user_version = \(version)",
  ]
}
