internal import CivilTime
internal import Timeline

/// A part of the search index: a table of its own for 4,096 rows of `posts`.
///
/// A removed word is gone from the file only when the index that has it is written anew. A part is written in a tenth of a second where the
/// index of a million posts takes half a minute.
struct SearchPart {
  private static let rowsOfPart: Int64 = 4096

  let number: Int64
  /// The bounds of what it holds. What was removed may have left them wider than they have to be.
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

  /// The parts that there are, that with the newest post first.
  static func all(in connection: SQLiteConnection) throws(SQLiteError) -> [SearchPart] {
    try connection.all(
      "SELECT part, newest_key, oldest_at, newest_at FROM search_parts ORDER BY newest_key DESC"
    ) { row in
      let times = [row.integer(2), row.integer(3)].sorted().map { Timestamp(milliseconds: $0) }
      return SearchPart(row.integer(0), newestKey: PostKey(row.text(1)), times: times[0]...times[1])
    }
  }

  /// Up to which row the posts are in the table `search`, the one index of a file of version 4 that is not divided yet; 0 where there is none.
  static func lastUndividedRow(in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    try connection.first("SELECT last_row FROM undivided_search") { $0.integer(0) } ?? 0
  }
}
