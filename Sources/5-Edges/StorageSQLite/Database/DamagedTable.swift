internal import Storage

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
  /// After this many consecutive failures, the size of the skipped range doubles, so that a large hole is skipped quickly.
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
