internal import CSQLite
internal import Storage

/// Restricts what a file can make a connection do (sqlite.org/security.html).
package enum SQLiteRestrictions {
  /// The maximum size in bytes of a value or row in this program's files: four times a provider's largest response, which is stored
  /// unchanged.
  static let ownLength: Int32 = 64 << 20
  /// The maximum size in bytes of a value or row in a foreign file. A tweet has at most 100 KB of text.
  package static let foreignLength: Int32 = 256 << 10

  /// Applies the restrictions. This must precede the first read.
  static func apply(to connection: OpaquePointer, for access: SQLiteAccess, file: String)
    throws(StorageError)
  {
    unsafe set(flags(for: access), on: connection)
    for (limit, value) in limits(for: access) { _ = unsafe sqlite3_limit(connection, limit, value) }
    // SQLite then checks the cell sizes on each page that it reads.
    let code = unsafe sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nil, nil, nil)
    if code != SQLITE_OK { throw unsafe StorageError(of: connection, code: code, file: file) }
  }

  private static func set(_ flags: [(option: Int32, isOn: Bool)], on connection: OpaquePointer) {
    // A library older than an option refuses it; there is no alternative.
    for flag in flags { _ = unsafe csqlite_set_flag(connection, flag.option, flag.isOn ? 1 : 0) }
  }

  private static func flags(for access: SQLiteAccess) -> [(option: Int32, isOn: Bool)] {
    [
      (SQLITE_DBCONFIG_ENABLE_FKEY, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      // This program's own files have no views and no triggers.
      (SQLITE_DBCONFIG_ENABLE_VIEW, false), (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
      // This protects the schema and the tables of the search index from SQL. It must be off for `writable_schema`.
      (SQLITE_DBCONFIG_DEFENSIVE, access != .salvaging),
    ]
  }

  private static func limits(for access: SQLiteAccess) -> [(limit: Int32, value: Int32)] {
    guard access == .foreign else { return [(SQLITE_LIMIT_LENGTH, ownLength), (SQLITE_LIMIT_ATTACHED, 0)] }
    return [
      (SQLITE_LIMIT_LENGTH, foreignLength), (SQLITE_LIMIT_SQL_LENGTH, foreignLength), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_COLUMN, 500), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 10),
      (SQLITE_LIMIT_VDBE_OP, 100_000), (SQLITE_LIMIT_FUNCTION_ARG, 10), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
  }
}
