package import Storage
internal import Time
internal import Timeline

extension AccountDatabase {
  /// Checks the whole archive for inconsistencies, as of a single moment. Reads the whole file and changes nothing.
  /// - Parameter tell: called from time to time with the number of posts checked and the total.
  /// - Throws: any failure other than corruption, which is reported as a problem.
  package func integrity(
    tell: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(StorageError) -> ArchiveIntegrity {
    // Index lookups jump around in the file. The default cache of two megabytes would make them read the same pages repeatedly.
    try connection.run("PRAGMA cache_size = \(-64 << 10)")
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    var problems: [String] = []
    var counts: (posts: Int, deleted: Int, filtered: Int) = (0, 0, 0)
    // SQLite counts with the index on times, which is the smallest.
    let rows = (try? connection.first("SELECT count(*) FROM posts") { $0.amount(0) }) ?? nil
    tell(0, rows ?? 0)
    problems += try reportingDamage { () throws(StorageError) in
      // sqlite.org/pragma.html#pragma_integrity_check: one row 'ok', or one row per problem. Older versions report all page problems in one
      // row with a heading.
      try connection.all("PRAGMA integrity_check(10)") { $0.text(0) }.filter { $0 != "ok" }
        .flatMap { $0.split(separator: "\n").map(String.init) }
    }
    problems += try reportingDamage { () throws(StorageError) in
      try connection.all("PRAGMA foreign_key_check") { $0.text(0) }.prefix(10).map { "a row of \($0) has no post" }
    }
    problems += try reportingDamage { () throws(StorageError) in
      var check = PostsCheck(authors: try authors(), indexed: try indexedRows(), filtered: try filteredRows())
      defer { counts = (check.posts, check.deleted, check.filtered) }
      try connection.run(PostsCheck.select) { row throws(StorageError) in
        check.add(row)
        if check.rows.isMultiple(of: 10_000) { tell(check.rows, rows ?? 0) }
      }
      return check.problems(hours: try hours(), total: try countOfPosts())
    }
    problems += try reportingDamage { () throws(StorageError) in
      let count =
        try connection.first("SELECT count(*) FROM spans WHERE oldest_key > newest_key") { $0.amount(0) } ?? 0
      return count > 0 ? ["\(count) spans of the timeline end before they begin"] : []
    }
    problems += try reportingDamage { () throws(StorageError) in try problemsOfOthers() }
    return ArchiveIntegrity(
      posts: counts.posts, deleted: counts.deleted, filtered: counts.filtered, problems: Self.distinct(problems))
  }

  /// Checks the structure of the file (sqlite.org/pragma.html#pragma_quick_check).
  package func quickCheck() throws(StorageError) -> [String] {
    try reportingDamage { () throws(StorageError) in
      try connection.all("PRAGMA quick_check(10)") { $0.text(0) }.filter { $0 != "ok" }
        .flatMap { $0.split(separator: "\n").map(String.init) }
    }
  }

  /// Checks the entries and spans of timelines other than home. The foreign keys of all entries have been checked already.
  private func problemsOfOthers() throws(StorageError) -> [String] {
    guard try seesOthers() else {
      return try count("SELECT count(*) FROM posts WHERE NOT \(StoredKey.isHome)", "posts are in no timeline")
    }
    return try count(
      "SELECT count(*) FROM posts WHERE NOT \(StoredKey.isHome) AND NOT \(entryCondition(of: .everything))",
      "posts are in no timeline")
      + count(
        "SELECT count(*) FROM other_spans WHERE oldest_key > newest_key",
        "spans of other timelines end before they begin")
      + count(
        "SELECT count(*) FROM entries WHERE notice <> '\(Notice.erased)' AND NOT json_valid(notice)",
        "notifications cannot be read")
  }

  private func count(_ sql: String, _ problem: String) throws(StorageError) -> [String] {
    let count = try connection.first(sql) { $0.amount(0) } ?? 0
    return count > 0 ? ["\(count) \(problem)"] : []
  }

  private func authors() throws(StorageError) -> Set<String> {
    Set(try connection.all("SELECT id FROM authors") { $0.text(0) })
  }

  /// Returns the rows of filtered posts whose content can be read.
  private func filteredRows() throws(StorageError) -> Set<Int64> {
    guard hasFiltered else { return [] }
    return Set(
      try connection.all(
        "SELECT row FROM \(PostTable.hiddenPosts) WHERE deleted_at IS NULL AND json_valid(hidden.post)"
      ) { $0.rowID(0) })
  }

  private func hours() throws(StorageError) -> [Int64: Int] {
    var hours: [Int64: Int] = [:]
    try connection.run("SELECT hour, posts FROM hours") { row throws(StorageError) in
      hours[row.rowID(0)] = row.amount(1)
    }
    return hours
  }

  /// Returns the rows in the search index: those in its parts, or in the version 4 index.
  private func indexedRows() throws(StorageError) -> Set<Int64> {
    // FTS5's own table of rows (sqlite.org/fts5.html#the_docsize_table). Querying the index itself would have to write.
    var rows: Set<Int64> = []
    for part in try searchParts() {
      try connection.run("SELECT id FROM \(part.table)_docsize") { row throws(StorageError) in
        rows.insert(row.rowID(0))
      }
    }
    guard try hasUndividedSearch() else { return rows }
    // The rows above this one were copied into parts. The old table is dropped once all rows have been copied.
    let last = try lastUndividedRow()
    try connection.run("SELECT id FROM search_docsize WHERE id <= ?", [.integer(last)]) { row throws(StorageError) in
      rows.insert(row.rowID(0))
    }
    return rows
  }

  /// Runs part of the check, and reports any corruption as a problem.
  private func reportingDamage(_ check: () throws(StorageError) -> [String]) throws(StorageError) -> [String] {
    do throws(StorageError) { return try check() } catch {
      guard error.kind == .damaged || error.kind == .inputOutput else { throw error }
      return [error.detail ?? error.message]
    }
  }

  private static func distinct(_ problems: [String]) -> [String] {
    var seen: Set<String> = []
    return problems.filter { seen.insert($0).inserted }
  }
}

/// Checks all rows of `posts` and the data derived from them.
private struct PostsCheck {
  static let select =
    """
    SELECT row, created_at, author, post IS NULL, deleted_at IS NULL, post IS NULL OR json_valid(post), \(StoredKey.isHome)
    FROM posts
    """

  private(set) var posts = 0
  /// The number of shown posts of the home timeline.
  private var ofHome = 0
  private(set) var deleted = 0
  private(set) var filtered = 0
  /// The number of rows so far.
  var rows: Int { posts + deleted + filtered }
  private let authors: Set<String>
  private let filteredRows: Set<Int64>
  /// Entries of the search index whose post has not been found yet.
  private var orphans: Set<Int64>
  private var hours: [Int64: Int] = [:]
  private var unreadable = 0
  private var incomplete = 0
  private var notIndexed = 0
  private var withoutAuthor = 0

  init(authors: Set<String>, indexed: Set<Int64>, filtered: Set<Int64>) {
    self.authors = authors
    filteredRows = filtered
    orphans = indexed
  }

  mutating func add(_ row: borrowing SQLiteRow) {
    let isDeleted = row.flag(3)
    if isDeleted, row.flag(4), filteredRows.contains(row.rowID(0)) {
      filtered += 1
      return
    }
    if isDeleted == row.flag(4) { incomplete += 1 }
    if !row.flag(5) { unreadable += 1 }
    if isDeleted {
      deleted += 1
      return
    }
    posts += 1
    if row.flag(6) {
      ofHome += 1
      hours[row.time(1).hour, default: 0] += 1
    }
    if orphans.remove(row.rowID(0)) == nil { notIndexed += 1 }
    if let author = row.textOrNull(2), !authors.contains(author) { withoutAuthor += 1 }
  }

  /// Returns the inconsistencies.
  /// - Parameters:
  ///   - hours: the stored number of posts in each hour.
  ///   - kept: the stored total.
  func problems(hours storedHours: [Int64: Int], total: Int) -> [String] {
    let wrongHours = Set(hours.keys).union(storedHours.keys).count { hours[$0] != storedHours[$0] }
    let found = [
      (unreadable, "posts cannot be read"), (incomplete, "posts are incomplete but not marked as deleted"),
      (notIndexed, "posts are missing from the search index"),
      (orphans.count, "entries of the search index have no post"),
      (wrongHours, "hourly counts are wrong"),
      (abs(total - ofHome), "posts too many or too few are counted in the totals"),
      (withoutAuthor, "posts have no author"),
    ]
    return found.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
