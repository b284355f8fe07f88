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
  func read(from connection: SQLiteConnection, _ take: (Value) throws(SQLiteError) -> Void) throws(SQLiteError) -> Bool
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
    do throws(SQLiteError) {
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
