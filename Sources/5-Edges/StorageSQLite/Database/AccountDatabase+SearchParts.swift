internal import Formats
package import Storage
internal import Time
internal import Timeline

extension AccountDatabase {
  /// Moves a portion of a version 4 search index into parts, newest rows first, because those are searched most often.
  /// - Returns: the number of rows left; 0 once the index has been divided.
  @discardableResult
  package func divideSearch() throws(StorageError) -> Int {
    guard try hasUndividedSearch() else { return 0 }
    let last = try SearchPart.lastUndividedRow(in: connection)
    try beginLargeChange()
    defer { endLargeChange() }
    return try connection.transaction { () throws(StorageError) in
      let first = SearchPart.rows(of: SearchPart.number(ofRow: last)).lowerBound
      let rest = max(0, first - 1)
      // Rows from here on are in parts.
      try connection.run("UPDATE undivided_search SET last_row = ?", [.integer(rest)])
      var searchIndex = SearchIndexTable(connection: connection)
      let rows = try connection.all(
        "SELECT \(PostTable.columns) FROM posts WHERE row BETWEEN ? AND ? AND post IS NOT NULL",
        [.integer(first), .integer(last)]
      ) { PostTable.storedPost($0) }
      for stored in rows { if let post = stored.post { try searchIndex.add(post, row: stored.row, key: stored.key) } }
      try searchIndex.close()
      if rest == 0 {
        try connection.run("DROP TABLE search")
        try connection.run("DELETE FROM undivided_search")
      }
      return Int(rest)
    }
  }

  // MARK: Parts of the index

  func searchParts() throws(StorageError) -> [SearchPart] {
    hasSearchParts ? try SearchPart.all(in: connection) : []
  }

  /// Returns the last row whose post is in the single index of a version 4 file; 0 if there is none.
  func lastUndividedRow() throws(StorageError) -> Int64 {
    hasSearchParts ? try SearchPart.lastUndividedRow(in: connection) : .max - 1
  }

  func hasUndividedSearch() throws(StorageError) -> Bool {
    hasSearchParts ? try connection.hasTable("search") : true
  }
}
