internal import CivilTime
internal import Publish
internal import SQLite
internal import Storage
internal import Timeline

/// Reads the readable rows of a corrupt table, in ranges of row ids (sqlite.org/rowidtable.html).
///
/// A corrupt page makes its rows unreadable. To find the rows after it, the range is halved until only unreadable rows are left out.
struct DamagedTable<Value> {
  /// The columns to read, in addition to the row id, and the table.
  let columns: String
  let table: String
  /// Converts a row, whose first column is its row id; `nil` if its values are not valid.
  let value: (borrowing SQLiteRow) -> Value?

  /// The number of rows held in memory.
  private static var step: Int { 200 }
  /// The number of consecutive failures after which the size of the skipped range doubles, so that a large hole is skipped quickly.
  private static var failureLimit: Int { 200 }

  /// Reads all readable rows in order.
  /// - Parameter take: receives each value. If it throws, reading ends.
  /// - Returns: whether all rows were readable.
  func read(from connection: SQLiteConnection, _ take: (Value) throws(StorageError) -> Void) throws(StorageError)
    -> Bool
  {
    let highest = try? connection.first("SELECT max(rowid) FROM \(table)") { $0.rowID(0) }
    var ranges: [ClosedRange<Int64>] = [1...max(1, (highest ?? nil) ?? Int64.max / 2)]
    var isComplete = highest != nil
    var failures = 0
    while let range = ranges.popLast() {
      let found = rows(in: range, of: connection)
      for value in found.values { try take(value) }
      if found.wasUnreadable { isComplete = false }
      // Continue after the last row that was read.
      let next = (found.last ?? range.lowerBound - 1) + 1
      switch found.end {
      case .reached: failures = 0
      case .full:
        failures = 0
        if next <= range.upperBound { ranges.append(next...range.upperBound) }
      case .damage:
        isComplete = false
        failures = found.last == nil ? failures + 1 : 0
        let hole = Int64(1) << min(61, failures / Self.failureLimit)
        guard next <= range.upperBound, range.upperBound - next >= hole else { continue }
        let middle = next + (range.upperBound - next) / 2
        ranges.append(middle + 1...range.upperBound)
        ranges.append(next...middle)
      }
    }
    return isComplete
  }

  private struct Found {
    enum End { case reached, full, damage }

    var values: [Value] = []
    /// The id of the last row that was read.
    var last: Int64?
    var wasUnreadable = false
    var end = End.reached
  }

  private func rows(in range: ClosedRange<Int64>, of connection: SQLiteConnection) -> Found {
    var found = Found()
    var count = 0
    var isOrdered = true
    do throws(StorageError) {
      try connection.run(
        "SELECT rowid, \(columns) FROM \(table) WHERE rowid BETWEEN ? AND ? ORDER BY rowid LIMIT \(Self.step)",
        [.integer(range.lowerBound), .integer(range.upperBound)]
      ) { row in
        // Corrupt links between pages could return the same rows repeatedly.
        let id = row.rowID(0)
        guard isOrdered, range.contains(id), found.last.map({ $0 < id }) ?? true else {
          isOrdered = false
          return
        }
        found.last = id
        count += 1
        if let value = value(row) { found.values.append(value) } else { found.wasUnreadable = true }
      }
      found.end = !isOrdered ? .damage : count == Self.step ? .full : .reached
    } catch { found.end = .damage }
    return found
  }
}

/// A row with valid values in a corrupt database.
struct DamagedPost {
  let row: Int64
  /// The post without its edits, which are in another table.
  let post: ImportedPost
  let seenAt: Timestamp?

  /// Returns the columns that every version has, and the columns that version 4 added.
  static func columns(of connection: SQLiteConnection) -> String {
    let names = (try? connection.all("SELECT name FROM pragma_table_info('posts')") { $0.text(0) }) ?? []
    let later = ["source", "seen_at", "deleted_at"].map { names.contains($0) ? $0 : "NULL" }
    return (["key", "id", "created_at", "post"] + later).joined(separator: ", ")
  }

  /// - Parameter row: the row id, then the columns.
  /// - Returns: `nil` if the values are corrupt.
  init?(_ row: borrowing SQLiteRow) {
    let key = row.text(1)
    let id = PostID(row.text(2))
    let createdAt = row.time(3)
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !id.text.isEmpty,
      Self.times.contains(createdAt)
    else { return nil }
    self.row = row.rowID(0)
    seenAt = row.timeOrNull(6).flatMap { Self.times.contains($0) ? $0 : nil }
    if row.isNull(4) {
      guard let deletedAt = row.timeOrNull(7) else { return nil }
      post = ImportedPost(
        deleted: id, key: PostKey(key), createdAt: createdAt, deletedAt: deletedAt)
    } else {
      // The JSON contains the post's id. If it differs, the page is in the wrong place.
      guard let read = try? PostJSON.read(row.bytes(4)), read.id == id, !Self.hasInvalidText(read) else { return nil }
      post = ImportedPost(read, key: PostKey(key), source: row.bytes(5))
    }
  }

  /// The valid range of times: 1970 to 9999.
  private static let times = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

  /// Returns whether invalid UTF-8 was read.
  private static func hasInvalidText(_ post: Post) -> Bool { post.text.unicodeScalars.contains("\u{0}") }
}
