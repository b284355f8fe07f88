internal import CSQLite

/// The SQLite library.
package enum SQLiteLibrary {
  /// The version, such as `3.40.1`.
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
