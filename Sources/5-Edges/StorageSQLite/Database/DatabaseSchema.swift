internal import Settings
internal import Storage

/// The tables of an account's database, `user_version` 8. Version 1 had no failure messages and no spending; version 2 recorded posts for
/// only one day; version 3 had no authors, edits or search index; version 4 had a single search index and did not record which posts
/// were missing from their server; version 5 had no filtered posts, which it would take for damaged ones; versions up to 6 published
/// more posts by default; and version 7 would take the posts of other timelines for posts of home. An account with home alone has the tables
/// of version 7 (``OtherTimelineTables``).
enum DatabaseSchema {
  static let version: Int64 = 8
  /// The page size of a new database in bytes. A commit writes each page that it changes to the log, and a new post changes about 20 pages,
  /// most by only a few bytes. With pages of 1,024 bytes, storing a post writes 35 KB instead of 92 KB. Files of earlier versions keep
  /// their pages of 4,096 bytes.
  static let pageSize = 1024
  static let statementOfVersion = "PRAGMA user_version = \(version)"

  /// The kind of an opened file.
  enum Finding: Equatable {
    case empty, current
    /// A database that an earlier version of this program wrote.
    case older(Int64)
    case newer(Int64)
    /// Another program's database.
    case foreign
  }

  /// Inspects a file without changing it. Throws if the file is not a database.
  static func find(in connection: SQLiteConnection) throws(StorageError) -> Finding {
    let version = try connection.first("PRAGMA user_version") { $0.integer(0, in: 0...Int64(Int32.max)) } ?? 0
    if version > Self.version { return .newer(version) }
    if version > 0 {
      for table in ["posts", "spans", "state"] where try !connection.hasTable(table) { return .foreign }
      return version == Self.version ? .current : .older(version)
    }
    let table = try connection.first("SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1") { _ in true }
    return table == nil ? .empty : .foreign
  }

  static func isNewer(_ path: String, _ version: Int64) -> StorageError {
    StorageError(
      .newerVersion,
      "\(path): written by a newer homeline (schema \(version); this one supports up to \(Self.version))",
      hint: "Update homeline")
  }

  static func create(in connection: SQLiteConnection) throws(StorageError) {
    try connection.transaction { () throws(StorageError) in
      for statement in statements + ArchiveTables.statements + spending { try connection.run(statement) }
      // If the first refresh created the first part of the search index, SQLite would prepare all its statements again, for a third of the
      // instructions of storing five posts.
      try connection.run(ArchiveTables.createSearch(SearchPart.table(0)))
    }
  }

  /// Upgrades an earlier version's file to the current version.
  /// - Parameter index: builds the data derived from posts, for a file that has only posts.
  static func upgrade(
    _ connection: SQLiteConnection, from older: Int64, index: () throws(StorageError) -> Void
  ) throws(StorageError) {
    try connection.transaction { () throws(StorageError) in
      if older < 2 { try add(newInVersion2, to: connection) }
      if older < 3 { try addSpending(to: connection, isCounted: older == 2) }
      if older < 4 {
        try add(newInVersion4, to: connection)
        try rebuildPosts(of: connection, index: index)
      } else if older < 5 {
        for statement in ArchiveTables.newInVersion5 { try connection.run(statement) }
        try connection.run(noteUndividedSearch)
        try connection.run(noteQuotes)
      }
      if older < 7 {
        try add(newInVersion7, to: connection)
        try connection.run("UPDATE state SET usual_posts = \(substitute(for: newInVersion7[0]))")
      }
      try connection.run(statementOfVersion)
    }
  }

  private static func rebuildPosts(
    of connection: SQLiteConnection, index: () throws(StorageError) -> Void
  ) throws(StorageError) {
    try connection.run("ALTER TABLE posts RENAME TO posts_before")
    for statement in ArchiveTables.statements { try connection.run(statement) }
    try connection.run(
      """
      INSERT INTO posts (key, id, created_at, post) SELECT key, id, created_at, CAST(post AS TEXT)
      FROM posts_before ORDER BY key
      """)
    try index()
    try connection.run("DROP TABLE posts_before")
  }

  /// Dividing the index of a million posts takes 20 s, so the old index remains in use while it is divided in small steps.
  private static let noteUndividedSearch =
    "INSERT INTO undivided_search (last_row) SELECT coalesce(max(row), 0) FROM posts"

  /// Published JSON has no spaces between tokens and no unescaped quotation marks in strings. A byte search therefore finds all posts that
  /// have the member, and only these need to be parsed.
  private static let noteQuotes = """
    INSERT INTO quotes (row, id) SELECT row, json_extract(post, '$.quoted.id') FROM posts
    WHERE post IS NOT NULL AND instr(post, '"quoted":{') > 0 AND CASE WHEN json_valid(post)
    THEN json_type(post, '$.quoted.id') = 'text' END
    """

  private static func add(_ columns: [String], to connection: SQLiteConnection) throws(StorageError) {
    for column in columns {
      try connection.run("ALTER TABLE state ADD COLUMN \(column) \(texts.contains(column) ? "TEXT" : "INTEGER")")
    }
  }

  /// Adds the spending tables.
  /// - Parameter isCounted: whether the earlier version counted each day's posts.
  private static func addSpending(to connection: SQLiteConnection, isCounted: Bool) throws(StorageError) {
    for statement in spending { try connection.run(statement) }
    guard isCounted else { return }
    // X was the only provider that charged, and user profiles were not counted.
    try connection.run(
      """
      INSERT INTO days (day, posts, micro_usd) SELECT spending_day, spending_posts, spending_posts * ?
      FROM state WHERE spending_day IS NOT NULL AND spending_posts > 0
      """, [.integer(Prices.x.microUSDPerPost)])
    for column in ["spending_day", "spending_posts"] { try connection.run("ALTER TABLE state DROP COLUMN \(column)") }
  }

  /// Returns the columns of `state` that a file of this version lacks.
  static func missingColumns(before version: Int64) -> [String] {
    (version < 2 ? newInVersion2 : []) + (version < 4 ? newInVersion4 : []) + (version < 7 ? newInVersion7 : [])
  }

  /// Returns the value of a column of `state` that a file lacks, as an SQL expression.
  static func substitute(for missing: String) -> String {
    newInVersion7.contains(missing) ? "\(ProgramDefaults.formerKeepPosts)" : "NULL"
  }

  private static let newInVersion2 = ["asked_at", "failures"]
  /// The read position, the earliest publication time of stored posts, and their number.
  private static let newInVersion4 = ["read_key", "read_id", "keeps_from", "kept"]
  /// The default number of published posts.
  private static let newInVersion7 = ["usual_posts"]
  private static let texts = ["read_key", "read_id"]

  private static let spending = [
    // Days since 1970 in UTC. A reservation remains if its response never arrives.
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
    // The posts charged on the latest of these days. Each is charged once a day.
    "CREATE TABLE billed (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID",
  ]

  private static let statements = [
    // Complete ranges of the timeline. The gaps between them are not stored.
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
      asked_at INTEGER, failures INTEGER,
      read_key TEXT, read_id TEXT, keeps_from INTEGER, kept INTEGER, usual_posts INTEGER
    ) STRICT
    """,
    "INSERT INTO state (row) VALUES (1)",
    statementOfVersion,
  ]
}
