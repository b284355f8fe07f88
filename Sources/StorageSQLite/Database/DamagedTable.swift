internal import CivilTime
internal import Publish
internal import SQLite
internal import Storage
internal import Timeline

/// Reads the rows of a table that can still be read, range by range of their row ids (sqlite.org/rowidtable.html).
///
/// A page that is damaged takes its rows with it. What lies behind them is found by halving the range until only what cannot be read
/// is left out.
struct DamagedTable<Value> {
  /// Which columns are asked for, the row id aside, and where.
  let columns: String
  let table: String
  /// Makes a value of a row whose first column is its row id; `nil` where the row cannot be what it should.
  let value: (borrowing SQLiteRow) -> Value?

  /// How many rows are in memory.
  private static var step: Int { 200 }
  /// After so many failures one after the other what is left out doubles, so that a large hole does not take for ever.
  private static var patience: Int { 200 }

  /// Reads all that can be read, in the order of the rows.
  /// - Parameter take: gets each value; what it throws ends the reading.
  /// - Returns: whether nothing is missing.
  func read(from connection: SQLiteConnection, _ take: (Value) throws(StorageError) -> Void) throws(StorageError)
    -> Bool
  {
    let highest = try? connection.first("SELECT max(rowid) FROM \(table)") { $0.integer(0) }
    var ranges: [ClosedRange<Int64>] = [1...max(1, (highest ?? nil) ?? Int64.max / 2)]
    var isWhole = highest != nil
    var failures = 0
    while let range = ranges.popLast() {
      let found = rows(in: range, of: connection)
      for value in found.values { try take(value) }
      if found.wasUnreadable { isWhole = false }
      // The range goes on behind the last row that came, if it came.
      let next = (found.last ?? range.lowerBound - 1) + 1
      switch found.end {
      case .reached: failures = 0
      case .full:
        failures = 0
        if next <= range.upperBound { ranges.append(next...range.upperBound) }
      case .damage:
        isWhole = false
        failures = found.last == nil ? failures + 1 : 0
        let hole = Int64(1) << min(61, failures / Self.patience)
        guard next <= range.upperBound, range.upperBound - next >= hole else { continue }
        let middle = next + (range.upperBound - next) / 2
        ranges.append(middle + 1...range.upperBound)
        ranges.append(next...middle)
      }
    }
    return isWhole
  }

  private struct Found {
    enum End { case reached, full, damage }

    var values: [Value] = []
    /// The row id of the last row that came.
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
        // Pages that lead to each other wrongly could give the same rows again and again.
        let id = row.integer(0)
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

/// A row of a damaged database, as far as it says what it should.
struct DamagedPost {
  let row: Int64
  /// Without what it said before, which stands in another table.
  let post: ImportedPost
  let seenAt: Timestamp?

  /// The columns that every version has had, and those that came with the fourth.
  static func columns(of connection: SQLiteConnection) -> String {
    let names = (try? connection.all("SELECT name FROM pragma_table_info('posts')") { $0.text(0) }) ?? []
    let later = ["source", "seen_at", "deleted_at"].map { names.contains($0) ? $0 : "NULL" }
    return (["key", "id", "created_at", "post"] + later).joined(separator: ", ")
  }

  /// - Parameter row: the row id, then the columns.
  /// - Returns: `nil` for a row of which damage has made something else.
  init?(_ row: borrowing SQLiteRow) {
    let key = row.text(1)
    let id = PostID(row.text(2))
    let createdAt = Timestamp(milliseconds: row.integer(3))
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !id.text.isEmpty,
      Self.times.contains(createdAt)
    else { return nil }
    self.row = row.integer(0)
    seenAt = row.integerOrNull(6).map { Timestamp(milliseconds: $0) }.flatMap { Self.times.contains($0) ? $0 : nil }
    if row.isNull(4) {
      guard let deletedAt = row.integerOrNull(7) else { return nil }
      post = ImportedPost(
        deleted: id, key: PostKey(key), createdAt: createdAt, deletedAt: Timestamp(milliseconds: deletedAt))
    } else {
      // The text says itself whose it is: another one's would be a page in the wrong place.
      guard let read = try? PostJSON.read(row.bytes(4)), read.id == id, !Self.isSpoilt(read) else { return nil }
      post = ImportedPost(read, key: PostKey(key), source: row.bytes(5))
    }
  }

  /// From 1970 to 9999: what a moment of ours can be.
  private static let times = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

  /// Whether bytes were read that are no UTF-8.
  private static func isSpoilt(_ post: Post) -> Bool { post.text.unicodeScalars.contains("\u{0}") }
}
