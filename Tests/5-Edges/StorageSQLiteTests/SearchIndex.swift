@testable import Storage
@testable import StorageSQLite

/// An in-memory search index with the tables of an archive.
struct SearchIndex {
  private let connection: SQLiteConnection

  init(_ texts: [String], authors: [String] = []) throws {
    connection = try SQLiteConnection(":memory:", .memory)
    try connection.run(ArchiveTables.createSearch("search"))
    for (row, text) in texts.enumerated() {
      try connection.run(
        "INSERT INTO search (rowid, text, author) VALUES (?, ?, ?)",
        [
          .integer(Int64(row)), .text(SearchText.indexed(text)),
          .text(row < authors.count ? SearchText.indexed(authors[row]) : ""),
        ])
    }
  }

  /// Returns the rows that a query finds.
  func rows(_ query: String) throws -> [Int] { try rows(SearchQuery(query)) }

  func rows(_ query: SearchQuery) throws -> [Int] {
    try connection.all(
      "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid", [.text(query.expression)]
    ) { Int($0.amount(0)) }
  }
}
