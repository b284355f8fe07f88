internal import CivilTime
internal import Publish
internal import SQLite
package import Storage
internal import Timeline

extension AccountDatabase {
  /// Brings a portion of the index of a file of version 4 into parts: the newest rows first, which are searched most.
  /// - Returns: how many rows are left; 0 when the index is divided.
  @discardableResult
  package func divideSearch() throws(StorageError) -> Int {
    guard try hasUndividedSearch() else { return 0 }
    let last = try SearchPart.lastUndividedRow(in: connection)
    try beginLargeChange()
    defer { endLargeChange() }
    return try connection.transaction { () throws(StorageError) in
      let first = SearchPart.rows(of: SearchPart.number(ofRow: last)).lowerBound
      let rest = max(0, first - 1)
      // From here on these rows are in parts.
      try connection.run("UPDATE undivided_search SET last_row = ?", [.integer(rest)])
      var words = SearchIndexTable(connection: connection)
      let rows = try connection.all(
        "SELECT \(PostTable.columns) FROM posts WHERE row BETWEEN ? AND ? AND post IS NOT NULL",
        [.integer(first), .integer(last)]
      ) { PostTable.kept($0) }
      for kept in rows { if let post = kept.post { try words.add(post, row: kept.row, key: kept.key) } }
      try words.close()
      if rest == 0 {
        try connection.run("DROP TABLE search")
        try connection.run("DELETE FROM undivided_search")
      }
      return Int(rest)
    }
  }

  // MARK: What there is of the index

  func searchParts() throws(StorageError) -> [SearchPart] {
    hasSearchParts ? try SearchPart.all(in: connection) : []
  }

  /// Up to which row the posts are in the one index of a file of version 4; 0 where there is none.
  func lastUndividedRow() throws(StorageError) -> Int64 {
    hasSearchParts ? try SearchPart.lastUndividedRow(in: connection) : .max - 1
  }

  func hasUndividedSearch() throws(StorageError) -> Bool {
    guard hasSearchParts else { return true }
    return try connection.first("SELECT 1 FROM undivided_search") { _ in true } ?? false
  }
}
