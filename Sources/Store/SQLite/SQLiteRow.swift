internal import CSQLite
internal import Glibc

/// The row on which a statement stands. Columns count from 0.
@safe package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  init(of statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }
  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
  package func integerOrNull(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  package func textOrNull(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// Whether a column holds exactly these bytes. Nothing is copied.
  func holds(_ bytes: [UInt8], in column: Int32) -> Bool {
    let start = unsafe sqlite3_column_blob(statement, column)
    guard unsafe Int(sqlite3_column_bytes(statement, column)) == bytes.count else { return false }
    guard let start = unsafe start else { return bytes.isEmpty && !isNull(column) }
    return unsafe bytes.withUnsafeBytes { unsafe $0.isEmpty || memcmp($0.baseAddress!, start, $0.count) == 0 }
  }

  /// Adds a column's bytes to others, without an array of their own.
  func append(_ column: Int32, to bytes: inout [UInt8]) {
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    // The bytes first: asking for their number may not change the form any more (sqlite3_column_blob).
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
