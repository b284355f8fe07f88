internal import CSQLite
internal import Storage

/// A prepared statement. It can be run repeatedly, but not recursively.
@safe final class SQLiteStatement {
  private let handle: OpaquePointer
  private let sql: String
  private let file: String
  private var isRunning = false

  /// - Parameter usesModules: whether the statement may read virtual tables, which run code (sqlite.org/vtab.html).
  init(_ sql: String, on connection: OpaquePointer, file: String, usesModules: Bool) throws(StorageError) {
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT) | (usesModules ? 0 : UInt32(SQLITE_PREPARE_NO_VTAB))
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil)
    guard code == SQLITE_OK, let prepared = unsafe handle else {
      throw unsafe StorageError(of: connection, code: code, sql: sql, file: file)
    }
    unsafe self.handle = unsafe prepared
    self.sql = sql
    self.file = file
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Runs the statement to completion and passes each row to a closure.
  /// - Parameter values: one for each `?`, in order.
  func run(
    _ values: [SQLiteValue], _ row: (borrowing SQLiteRow) throws(StorageError) -> Void
  ) throws(StorageError) {
    precondition(!isRunning, "a statement was run recursively")
    isRunning = true
    defer {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
      isRunning = false
    }
    precondition(
      unsafe Int(sqlite3_bind_parameter_count(handle)) == values.count,
      "the number of values differs from the number of parameters")
    for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1)) }
    while true {
      switch unsafe sqlite3_step(handle) {
      case SQLITE_ROW: try row(unsafe SQLiteRow(of: handle))
      case SQLITE_DONE: return
      case let code: throw error(code)
      }
    }
  }

  private func bind(_ value: SQLiteValue, to parameter: Int32) throws(StorageError) {
    // SQLITE_TRANSIENT: SQLite copies the value immediately. Swift does not import the macro, which is a cast.
    let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, parameter)
      case .integer(let integer): unsafe sqlite3_bind_int64(handle, parameter, integer)
      case .text(let text):
        unsafe sqlite3_bind_text64(handle, parameter, text, UInt64(text.utf8.count), transient, UInt8(SQLITE_UTF8))
      case .utf8(let bytes):
        if bytes.isEmpty {
          unsafe sqlite3_bind_text64(handle, parameter, "", 0, transient, UInt8(SQLITE_UTF8))
        } else {
          unsafe bytes.withUnsafeBytes {
            unsafe sqlite3_bind_text64(
              handle, parameter, $0.baseAddress!.assumingMemoryBound(to: CChar.self), UInt64($0.count), transient,
              UInt8(SQLITE_UTF8))
          }
        }
      case .bytes(let bytes):
        if bytes.isEmpty {
          unsafe sqlite3_bind_zeroblob(handle, parameter, 0)
        } else {
          unsafe bytes.withUnsafeBytes {
            unsafe sqlite3_bind_blob64(handle, parameter, $0.baseAddress, UInt64($0.count), transient)
          }
        }
      }
    if code != SQLITE_OK { throw error(code) }
  }

  private func error(_ code: Int32) -> StorageError {
    unsafe StorageError(of: sqlite3_db_handle(handle), code: code, sql: sql, file: file)
  }
}
