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
    try binding(values, from: 0) { () throws(StorageError) in
      while true {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: try row(unsafe SQLiteRow(of: handle))
        case SQLITE_DONE: return
        case let code: throw error(code)
        }
      }
    }
  }

  /// Binds the values from an index on, and runs the body. SQLite uses their memory until then, without copying it (`SQLITE_STATIC`).
  private func binding(
    _ values: [SQLiteValue], from index: Int, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    guard index < values.count else { return try body() }
    let parameter = Int32(index + 1)
    switch values[index] {
    case .null: try check(unsafe sqlite3_bind_null(handle, parameter))
    case .integer(let integer): try check(unsafe sqlite3_bind_int64(handle, parameter, integer))
    case .text(let text):
      return try binding(text.utf8.span, to: parameter) { () throws(StorageError) in
        try binding(values, from: index + 1, body)
      }
    case .utf8(let bytes):
      return try binding(bytes.span, to: parameter) { () throws(StorageError) in
        try binding(values, from: index + 1, body)
      }
    case .bytes(let bytes):
      return try unsafe bytes.withUnsafeBufferPointer { bytes throws(StorageError) in
        // A null pointer would bind NULL.
        try check(
          unsafe bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, parameter, 0)
            : sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), nil))
        try binding(values, from: index + 1, body)
      }
    }
    try binding(values, from: index + 1, body)
  }

  /// Binds text and runs the body.
  private func binding(
    _ text: Span<UInt8>, to parameter: Int32, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    try unsafe text.withUnsafeBufferPointer { text throws(StorageError) in
      // A null pointer would bind NULL.
      let start = unsafe text.isEmpty ? UnsafeRawPointer(emptyText.utf8Start) : UnsafeRawPointer(text.baseAddress!)
      try check(
        unsafe sqlite3_bind_text64(
          handle, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
      try body()
    }
  }

  private func check(_ code: Int32) throws(StorageError) { if code != SQLITE_OK { throw error(code) } }

  private func error(_ code: Int32) -> StorageError {
    unsafe StorageError(of: sqlite3_db_handle(handle), code: code, sql: sql, file: file)
  }
}

private let emptyText: StaticString = ""
