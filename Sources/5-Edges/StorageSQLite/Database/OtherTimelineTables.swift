internal import Storage
internal import Timeline

/// The tables of timelines other than home. The first write that concerns such a timeline creates them, so that an account with the home
/// timeline alone has neither the tables nor their cost.
///
/// A post is stored once in `posts`, whichever timelines contain it. An entry is its place in one of the other timelines.
enum OtherTimelineTables {
  /// The table whose existence shows that all of them exist.
  static let name = "timelines"

  private static let statements = [
    // The names and the states. A timeline taken out of the configuration keeps its row.
    """
    CREATE TABLE timelines (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      reference TEXT,
      refreshed_at INTEGER, next_refresh_at INTEGER, stale_since INTEGER,
      problem_code TEXT, problem_message TEXT, problem_retry_at INTEGER,
      entity_tag TEXT, failures INTEGER, read_key TEXT, read_id TEXT, walked_at INTEGER
    ) STRICT
    """,
    // The rate limits of the kinds of timelines whose requests the provider counts by themselves.
    """
    CREATE TABLE kind_limits (
      kind TEXT PRIMARY KEY NOT NULL,
      rate_limit INTEGER, rate_remaining INTEGER NOT NULL, rate_reset INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // `id` is the entry's own id if it is not the post's; `at` is the time that its age is counted from. The filter is the one that the user
    // has set for this timeline. `notice` is the JSON of a notification's event, which may concern no post; it is empty if the event was erased.
    """
    CREATE TABLE entries (
      timeline INTEGER NOT NULL REFERENCES timelines (number),
      key TEXT NOT NULL,
      row INTEGER REFERENCES posts (row) ON DELETE CASCADE,
      id TEXT,
      at INTEGER NOT NULL,
      filter_action TEXT,
      filter_title TEXT,
      notice TEXT,
      PRIMARY KEY (timeline, key),
      CHECK (row IS NOT NULL OR notice IS NOT NULL)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX entries_by_row ON entries (row)",
    "CREATE INDEX entries_by_time ON entries (timeline, at)",
    """
    CREATE TABLE other_spans (
      timeline INTEGER NOT NULL REFERENCES timelines (number),
      newest_key TEXT NOT NULL,
      newest_id TEXT NOT NULL,
      oldest_key TEXT NOT NULL,
      oldest_id TEXT NOT NULL,
      older_cursor TEXT,
      PRIMARY KEY (timeline, newest_key)
    ) STRICT, WITHOUT ROWID
    """,
    // Without this index, a home timeline with an age limit would read all old posts of other timelines at each refresh.
    "CREATE INDEX home_by_time ON posts (created_at) WHERE \(StoredKey.isHome)",
  ]

  /// Creates the tables. Call this within a transaction.
  static func create(in connection: SQLiteConnection) throws(StorageError) {
    for statement in statements { try connection.run(statement) }
  }

  /// Lists the columns of a table, so that there is a row only if the tables exist. `sqlite_schema` has no index: a query would read the
  /// definitions of all tables, and the search index of a million posts consists of 1,200.
  static let existence = "PRAGMA table_info(\(name))"

  /// Returns whether the tables exist, even if another connection has just created them.
  static func exist(in connection: SQLiteConnection) throws(StorageError) -> Bool {
    try connection.first(existence) { _ in true } ?? false
  }

  static func number(of timeline: TimelineName, in connection: SQLiteConnection) throws(StorageError) -> Int64? {
    try connection.first("SELECT number FROM timelines WHERE name = ?", [.text(timeline.description)]) { $0.rowID(0) }
  }

  /// Returns the timeline's number, and adds the timeline if necessary.
  static func newNumber(of timeline: TimelineName, in connection: SQLiteConnection) throws(StorageError) -> Int64 {
    if let known = try number(of: timeline, in: connection) { return known }
    try connection.run("INSERT INTO timelines (name) VALUES (?)", [.text(timeline.description)])
    return connection.lastRow
  }

  /// Returns the timelines that this version knows, by number.
  static func names(in connection: SQLiteConnection) throws(StorageError) -> [Int64: TimelineName] {
    var names: [Int64: TimelineName] = [:]
    try connection.run("SELECT number, name FROM timelines") { row throws(StorageError) in
      if let name = try? TimelineName(row.text(1)) { names[row.rowID(0)] = name }
    }
    return names
  }
}
