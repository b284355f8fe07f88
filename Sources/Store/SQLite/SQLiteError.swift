internal import CSQLite
internal import Glibc

/// A call of SQLite that failed. The statement is named, never the values bound to it.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code (`https://www.sqlite.org/rescode.html`).
  package let code: Int32
  package let message: String
  package let sql: String?
  /// The database's file.
  package let file: String
  /// The system's `errno` behind it; 0 where SQLite has not kept it, as when a commit fails.
  package let systemCode: Int32

  /// The error of the connection's last call.
  init(of connection: OpaquePointer?, code: Int32, sql: String? = nil, file: String) {
    self.code = code
    message = unsafe String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
    self.sql = sql
    self.file = file
    systemCode = unsafe connection == nil ? 0 : sqlite3_system_errno(connection)
  }

  private var primary: Int32 { code & 0xff }

  /// Whether the disk, or the user's share of it, is full.
  package var isNoSpace: Bool {
    primary == SQLITE_FULL || primary == SQLITE_IOERR && (systemCode == ENOSPC || systemCode == EDQUOT)
  }
  /// Whether the disk, or a limit on it, refused to read or write.
  package var isIO: Bool { primary == SQLITE_IOERR }
  /// Whether another process kept the file locked beyond the wait.
  package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  /// Whether the file is no database, or one whose content contradicts itself.
  package var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

  package var description: String {
    let cause = systemCode == 0 || !isIO ? "" : unsafe ": \(String(cString: strerror(systemCode)))"
    return "\(file): \(message)\(cause) (SQLite \(code)\(sql.map { ": \($0)" } ?? ""))"
  }
}
