internal import CSQLite
package import CivilTime
internal import Glibc
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

/// The current row of a statement. Columns are counted from 0.
@safe package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  init(of statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Returns the number nearest to the column's in a range, because a damaged file can contain any number.
  package func integer<Integer: FixedWidthInteger>(_ column: Int32, in range: ClosedRange<Integer>) -> Integer {
    min(max(unsafe Integer(clamping: sqlite3_column_int64(statement, column)), range.lowerBound), range.upperBound)
  }

  /// Returns an amount: from 0 to 10¹⁵, so that sums of amounts cannot overflow.
  package func amount(_ column: Int32) -> Int { integer(column, in: 0...1_000_000_000_000_000) }
  package func amountOrNull(_ column: Int32) -> Int? { isNull(column) ? nil : amount(column) }

  /// Returns the number that identifies a row. It is far from the ends of the 64 bits, so that the next row has a number too.
  package func rowID(_ column: Int32) -> Int64 { integer(column, in: -1 << 62...1 << 62) }

  package func flag(_ column: Int32) -> Bool { unsafe sqlite3_column_int64(statement, column) != 0 }

  /// Returns a time, which is stored in milliseconds since 1970.
  package func time(_ column: Int32) -> Timestamp {
    unsafe Timestamp(milliseconds: sqlite3_column_int64(statement, column))
  }
  package func timeOrNull(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

  package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  package func textOrNull(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// Returns whether a column contains exactly these bytes, without copying them.
  package func holds(_ bytes: [UInt8], in column: Int32) -> Bool {
    let start = unsafe sqlite3_column_blob(statement, column)
    guard unsafe Int(sqlite3_column_bytes(statement, column)) == bytes.count else { return false }
    guard let start = unsafe start else { return bytes.isEmpty && !isNull(column) }
    return unsafe bytes.withUnsafeBytes { unsafe $0.isEmpty || memcmp($0.baseAddress!, start, $0.count) == 0 }
  }

  /// Appends a column's bytes to an array, without creating another array.
  package func append(_ column: Int32, to bytes: inout [UInt8]) {
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    // The pointer is read first, because reading the length could convert the value (sqlite3_column_blob).
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// A value to be bound to a parameter of a statement.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  /// Text that is already encoded as UTF-8.
  case utf8([UInt8])

  package init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}
