internal import CSQLite

/// What a connection does not do, whatever the file asks for (sqlite.org/security.html).
enum SQLiteDefences {
  /// The largest value or row of our own files, in bytes: four times the largest answer of a provider, which is kept as it came.
  static let ownLength: Int32 = 64 << 20
  /// The largest value or row of a foreign file, in bytes. A tweet has 100 KB of text at most.
  static let foreignLength: Int32 = 256 << 10

  /// Sets them, before anything of the file is read.
  static func put(up connection: OpaquePointer, for access: SQLiteConnection.Access, file: String) throws(SQLiteError) {
    unsafe set(flags(for: access), on: connection)
    for (limit, value) in limits(for: access) { _ = unsafe sqlite3_limit(connection, limit, value) }
    // What a page says of its own cells is checked when it is read.
    let code = unsafe sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nil, nil, nil)
    if code != SQLITE_OK { throw unsafe SQLiteError(of: connection, code: code, file: file) }
  }

  private static func set(_ flags: [(option: Int32, isOn: Bool)], on connection: OpaquePointer) {
    // Refused only by a library that is older than the option, where there is nothing better to be had.
    for flag in flags { _ = unsafe csqlite_set_flag(connection, flag.option, flag.isOn ? 1 : 0) }
  }

  private static func flags(for access: SQLiteConnection.Access) -> [(option: Int32, isOn: Bool)] {
    [
      (SQLITE_DBCONFIG_ENABLE_FKEY, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      // None of our files has any.
      (SQLITE_DBCONFIG_ENABLE_VIEW, false), (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
      // It keeps SQL from writing to the schema and to tables of the search index, and `writable_schema` is such writing.
      (SQLITE_DBCONFIG_DEFENSIVE, access != .salvaging),
    ]
  }

  private static func limits(for access: SQLiteConnection.Access) -> [(limit: Int32, value: Int32)] {
    guard access == .foreign else { return [(SQLITE_LIMIT_LENGTH, ownLength), (SQLITE_LIMIT_ATTACHED, 0)] }
    return [
      (SQLITE_LIMIT_LENGTH, foreignLength), (SQLITE_LIMIT_SQL_LENGTH, foreignLength), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_COLUMN, 500), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 10),
      (SQLITE_LIMIT_VDBE_OP, 100_000), (SQLITE_LIMIT_FUNCTION_ARG, 10), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
  }
}
