internal import Storage
internal import Time
internal import Timeline

/// A part of the search index: a table for 4,096 rows of `posts`.
///
/// A removed word remains in the file until the index is rebuilt. Rebuilding a part takes a tenth of a second; rebuilding an index of a
/// million posts takes half a minute.
struct SearchPart {
  private static let rowsOfPart: Int64 = 4096

  let number: Int64
  /// The bounds of the part's posts. After posts were removed, they may be wider than needed.
  private(set) var newestKey: PostKey
  private(set) var times: ClosedRange<Timestamp>

  init(_ number: Int64, newestKey: PostKey, times: ClosedRange<Timestamp>) {
    self.number = number
    self.newestKey = newestKey
    self.times = times
  }

  var table: String { Self.table(number) }

  static func number(ofRow row: Int64) -> Int64 { row / rowsOfPart }
  static func rows(of number: Int64) -> Range<Int64> { number * rowsOfPart..<(number + 1) * rowsOfPart }
  static func table(_ number: Int64) -> String { "search_\(number)" }

  mutating func extend(to key: PostKey, _ time: Timestamp) {
    newestKey = max(newestKey, key)
    times = min(times.lowerBound, time)...max(times.upperBound, time)
  }

  /// Returns the parts, starting with the one that contains the latest post.
  static func all(in connection: SQLiteConnection) throws(StorageError) -> [SearchPart] {
    try connection.all(
      "SELECT part, newest_key, oldest_at, newest_at FROM search_parts"
    ) { row in
      let times = [row.time(2), row.time(3)].sorted()
      return SearchPart(row.rowID(0), newestKey: PostKey(row.text(1)), times: times[0]...times[1])
    }.sorted { $0.times.upperBound > $1.times.upperBound }
  }

  /// Returns the last row whose post is in the `search` table, a version 4 file's undivided index; 0 if there is none.
  static func lastUndividedRow(in connection: SQLiteConnection) throws(StorageError) -> Int64 {
    guard try connection.hasTable("search") else { return 0 }
    return try connection.first("SELECT last_row FROM undivided_search") { $0.rowID(0) } ?? 0
  }
}
