internal import CivilTime
internal import Publish
internal import SQLite
internal import Storage
internal import Timeline

/// The search index, divided into parts (``SearchPart``). Use this within a transaction, and call ``close()`` at its end to write the
/// bounds of the parts. The index stores no text, so removing a post requires the text that was added for it.
struct SearchIndexTable {
  private let connection: SQLiteConnection
  /// The parts to which posts were added.
  private var extended: [Int64: SearchPart] = [:]
  private var lastUndivided: Int64?

  init(connection: SQLiteConnection) { self.connection = connection }

  mutating func close() throws(StorageError) {
    for part in extended.values {
      try connection.run(
        "INSERT OR REPLACE INTO search_parts (part, newest_key, oldest_at, newest_at) VALUES (?, ?, ?, ?)",
        [
          .integer(part.number), .text(part.newestKey.text), .integer(part.times.lowerBound.milliseconds),
          .integer(part.times.upperBound.milliseconds),
        ])
    }
    extended = [:]
  }

  mutating func add(_ post: Post, row: Int64, key: PostKey) throws(StorageError) {
    let table = try table(ofRow: row)
    try extend(row: row, key: key, post.createdAt)
    try connection.run(
      "INSERT INTO \(table) (rowid, text, author) VALUES (?, ?, ?)",
      [.integer(row), .text(SearchText.text(of: post)), .text(SearchText.author(of: post))])
  }

  mutating func remove(_ post: Post, row: Int64) throws(StorageError) {
    let table = try table(ofRow: row)
    try connection.run(
      "INSERT INTO \(table) (\(table), rowid, text, author) VALUES ('delete', ?, ?, ?)",
      [.integer(row), .text(SearchText.text(of: post)), .text(SearchText.author(of: post))])
  }

  /// Replaces the entry of a post. Does nothing if the indexed text is unchanged.
  mutating func replace(_ former: Post, by post: Post, row: Int64, key: PostKey) throws(StorageError) {
    if former.createdAt != post.createdAt { try extend(row: row, key: key, post.createdAt) }
    guard
      SearchText.text(of: former) != SearchText.text(of: post)
        || SearchText.author(of: former) != SearchText.author(of: post)
    else { return }
    try remove(former, row: row)
    try add(post, row: row, key: key)
  }

  // MARK: Parts

  /// Rebuilds a part. Until then, the file may contain text from removed posts.
  func compact(_ number: Int64) throws(StorageError) {
    let table = SearchPart.table(number)
    try connection.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
  }

  /// Removes a part and its content, if it exists.
  mutating func drop(_ number: Int64) throws(StorageError) {
    try close()
    try connection.run("DROP TABLE IF EXISTS \(SearchPart.table(number))")
    try connection.run("DELETE FROM search_parts WHERE part = ?", [.integer(number)])
  }

  /// Adds a row to its part, creating the part if necessary.
  private mutating func extend(row: Int64, key: PostKey, _ time: Timestamp) throws(StorageError) {
    guard try row > undividedRows() else { return }
    let number = SearchPart.number(ofRow: row)
    if extended[number] != nil {
      extended[number]?.extend(to: key, time)
      return
    }
    let known = try connection.first(
      "SELECT newest_key, oldest_at, newest_at FROM search_parts WHERE part = ?", [.integer(number)]
    ) { row in (PostKey(row.text(0)), row.time(1), row.time(2)) }
    var part = SearchPart(number, newestKey: key, times: time...time)
    if let known {
      part.extend(to: known.0, known.1)
      part.extend(to: known.0, known.2)
    } else {
      try connection.run(ArchiveTables.createSearch(part.table))
    }
    extended[number] = part
  }

  private mutating func table(ofRow row: Int64) throws(StorageError) -> String {
    try row > undividedRows() ? SearchPart.table(SearchPart.number(ofRow: row)) : "search"
  }

  private mutating func undividedRows() throws(StorageError) -> Int64 {
    if let lastUndivided { return lastUndivided }
    let last = try SearchPart.lastUndividedRow(in: connection)
    lastUndivided = last
    return last
  }
}

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

  /// Returns the parts, starting with the one that contains the newest post.
  static func all(in connection: SQLiteConnection) throws(StorageError) -> [SearchPart] {
    try connection.all(
      "SELECT part, newest_key, oldest_at, newest_at FROM search_parts ORDER BY newest_key DESC"
    ) { row in
      let times = [row.time(2), row.time(3)].sorted()
      return SearchPart(row.rowID(0), newestKey: PostKey(row.text(1)), times: times[0]...times[1])
    }
  }

  /// Returns the last row whose post is in the table `search`, a version 4 file's undivided index; 0 if there is none.
  static func lastUndividedRow(in connection: SQLiteConnection) throws(StorageError) -> Int64 {
    try connection.first("SELECT last_row FROM undivided_search") { $0.rowID(0) } ?? 0
  }
}
