internal import CSQLite
internal import Glibc

/// A call of SQLite that failed. The statement is named, never the values bound to it.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code (`https://www.sqlite.org/rescode.html`).
  let code: Int32
  package let message: String
  let sql: String?
  /// The database's file.
  package let file: String
  /// The system's `errno` behind it; 0 where SQLite has not kept it.
  let systemCode: Int32

  /// The error of the connection's last call.
  init(of connection: OpaquePointer?, code: Int32, sql: String? = nil, file: String) {
    self.code = code
    message = unsafe String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
    self.sql = sql
    self.file = file
    systemCode = unsafe connection.map { unsafe Self.systemCode(of: $0, code: code) } ?? 0
  }

  private static func systemCode(of connection: OpaquePointer, code: Int32) -> Int32 {
    let known = unsafe sqlite3_system_errno(connection)
    return known == 0 && code & 0xff == SQLITE_IOERR ? unsafe csqlite_last_errno(connection) : known
  }

  private var primary: Int32 { code & 0xff }

  /// Whether the disk, or a limit on it, refused to read or write.
  package var isIO: Bool { primary == SQLITE_IOERR }
  /// Whether another process kept the file locked beyond the wait.
  package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  /// Whether the file is no database, or one whose content contradicts itself.
  package var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
  /// Whether a value or a row is larger than the connection takes.
  package var isTooLarge: Bool { primary == SQLITE_TOOBIG }
  /// Whether the file took more steps than one of its size can need.
  package var isInterrupted: Bool { primary == SQLITE_INTERRUPT }
  /// Whether the statement cannot be run on this file: a table is missing, or is a view or a virtual table that is not read.
  package var isRefusal: Bool { primary == SQLITE_ERROR }

  /// What people call it, where SQLite's own words leave that open.
  private var plainMessage: String? {
    switch primary {
    case SQLITE_FULL: "disk full"
    case SQLITE_BUSY, SQLITE_LOCKED: "locked by another process"
    case SQLITE_READONLY: "read-only"
    default: nil
    }
  }

  package var description: String {
    let message = plainMessage ?? message
    let cause = systemCode == 0 || !isIO ? "" : unsafe ": \(String(cString: strerror(systemCode)))"
    return "\(file): \(message)\(cause) (SQLite \(code)\(sql.map { ": \($0)" } ?? ""))"
  }
}
