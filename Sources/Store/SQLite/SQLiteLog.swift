internal import CSQLite

/// The length of a connection's write-ahead log, which decides when it is brought into the file (sqlite.org/wal.html#ckpt).
///
/// A checkpoint syncs the log and the file, which somebody who commits just then would wait for. So SQLite's own one with each thousandth
/// page is replaced: a log that is long is left to a moment of rest, and one that is far too long is brought in by the commit.
final class SQLiteLog {
  /// In pages, from which on a rest brings it into the file: 4 MiB of 4096 bytes.
  static let long: Int32 = 1000
  /// In pages, from which on the next commit does: 16 MiB.
  static let longest: Int32 = 4000

  /// In pages, as of the last commit.
  private var pages: Int32 = 0

  var isLong: Bool { pages >= Self.long }

  /// - Parameter connection: must be closed before this ends.
  init(of connection: OpaquePointer) {
    _ = unsafe sqlite3_wal_hook(
      connection,
      { log, connection, database, pages in
        unsafe Unmanaged<SQLiteLog>.fromOpaque(log!).takeUnretainedValue().pages = pages
        if pages >= SQLiteLog.longest {
          unsafe sqlite3_wal_checkpoint_v2(connection, database, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
