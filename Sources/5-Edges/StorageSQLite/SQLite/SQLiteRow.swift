internal import CSQLite
package import Time
internal import Glibc

/// The current row of a statement. Columns are counted from 0.
@safe package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  init(of statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Returns the column's value, clamped to a range: a damaged file can contain any number.
  package func integer<Integer: FixedWidthInteger>(_ column: Int32, in range: ClosedRange<Integer>) -> Integer {
    min(max(unsafe Integer(clamping: sqlite3_column_int64(statement, column)), range.lowerBound), range.upperBound)
  }

  /// Returns an amount: from 0 to 10¹⁵, so that sums of amounts cannot overflow.
  package func amount(_ column: Int32) -> Int { integer(column, in: 0...1_000_000_000_000_000) }
  package func amountOrNull(_ column: Int32) -> Int? { isNull(column) ? nil : amount(column) }

  /// Returns the number that identifies a row. It is far from the ends of the 64-bit range, so that the next row also has a number.
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

  /// Returns the bytes of a column that follow the first occurrence of a mark, without copying those before it; `nil` if the mark does not
  /// occur.
  /// - Parameter limit: the maximum number of bytes.
  package func bytes(_ column: Int32, behind mark: [UInt8], atMost limit: Int) -> [UInt8]? {
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    guard let start = unsafe start, let found = unsafe csqlite_find(start, count, mark, mark.count) else { return nil }
    let place = unsafe found - start + mark.count
    return unsafe Array(UnsafeRawBufferPointer(start: start + place, count: min(count - place, limit)))
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    // The pointer is read first, because reading the length could convert the value (sqlite3_column_blob).
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
