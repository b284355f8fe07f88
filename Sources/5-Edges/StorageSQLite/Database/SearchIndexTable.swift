internal import Storage
internal import Time
internal import Timeline

/// The search index, divided into parts (``SearchPart``). Use this within a transaction, and call ``close()`` at its end to write the
/// bounds of the parts. The index stores no text, so removing a post requires the text added for it.
struct SearchIndexTable {
  private let connection: SQLiteConnection
  /// The parts that posts were added to.
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
