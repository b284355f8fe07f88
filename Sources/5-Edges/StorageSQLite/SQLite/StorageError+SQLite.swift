internal import CSQLite
internal import Glibc
internal import Storage

/// Errors from SQLite calls. They contain the statement, but never the values bound to it.
extension StorageError {
  /// Creates the error for the connection's last call.
  /// - Parameters:
  ///   - code: the extended result code (`https://www.sqlite.org/rescode.html`).
  ///   - file: the database path.
  init(of connection: OpaquePointer?, code: Int32, sql: String? = nil, file: String) {
    let kind = Kind(sqliteCode: code)
    let message = unsafe String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
    let systemCode = unsafe connection.map { unsafe Self.systemCode(of: $0, code: code) } ?? 0
    let cause = systemCode == 0 || kind != .inputOutput ? "" : unsafe ": \(String(cString: strerror(systemCode)))"
    self.init(
      kind,
      "\(file): \(Self.plainMessage(of: code) ?? message)\(cause) (SQLite \(code)\(sql.map { ": \($0)" } ?? ""))",
      detail: message)
  }

  /// Returns the `errno` that caused the error; 0 if SQLite did not record it.
  private static func systemCode(of connection: OpaquePointer, code: Int32) -> Int32 {
    let known = unsafe sqlite3_system_errno(connection)
    return known == 0 && code & 0xff == SQLITE_IOERR ? unsafe csqlite_last_errno(connection) : known
  }

  /// Returns a message that is clearer than SQLite's own, if there is one.
  private static func plainMessage(of code: Int32) -> String? {
    switch code & 0xff {
    case SQLITE_FULL: "disk full"
    case SQLITE_BUSY, SQLITE_LOCKED: "locked by another process"
    case SQLITE_READONLY: "read-only"
    default: nil
    }
  }
}

extension StorageError.Kind {
  fileprivate init(sqliteCode code: Int32) {
    switch code & 0xff {
    case SQLITE_IOERR: self = .inputOutput
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
    case SQLITE_TOOBIG: self = .tooLarge
    case SQLITE_INTERRUPT: self = .interrupted
    // The table is missing, or is a view or virtual table that may not be read.
    case SQLITE_ERROR: self = .unsupported
    default: self = .other
    }
  }
}
