internal import CSQLite

/// Tracks the length of a connection's write-ahead log, which determines when it is checkpointed (sqlite.org/wal.html#ckpt).
///
/// A checkpoint syncs the log and the file, and would delay a commit. Therefore, this class replaces SQLite's automatic checkpoint after
/// every thousand pages: a long log is checkpointed while the queue is idle, and a commit checkpoints only a very long log.
final class SQLiteLog {
  /// An idle queue checkpoints the log from this length in bytes on.
  static let long = 4 << 20
  /// The next commit checkpoints the log from this length in bytes on.
  static let longest = 16 << 20

  /// The length in pages after the last commit.
  private var pages: Int32 = 0
  /// The size of a page in bytes; `nil` before the first commit.
  private var pageSize: Int?

  var isLong: Bool { length >= Self.long }
  private var length: Int { Int(pages) * (pageSize ?? 0) }

  /// - Parameter connection: must be closed before this object is released.
  init(of connection: OpaquePointer) {
    _ = unsafe sqlite3_wal_hook(
      connection,
      { log, connection, database, pages in
        let log = unsafe Unmanaged<SQLiteLog>.fromOpaque(log!).takeUnretainedValue()
        log.pages = pages
        if log.pageSize == nil { log.pageSize = unsafe SQLiteLog.pageSize(of: connection!) }
        if log.length >= SQLiteLog.longest {
          unsafe sqlite3_wal_checkpoint_v2(connection, database, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The largest page size, as a bound if the size cannot be read.
  private static let largestPage = 65_536

  private static func pageSize(of connection: OpaquePointer) -> Int {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(connection, "PRAGMA page_size", -1, &statement, nil) == SQLITE_OK,
      unsafe sqlite3_step(statement) == SQLITE_ROW
    else { return largestPage }
    return unsafe Int(sqlite3_column_int64(statement, 0))
  }
}
