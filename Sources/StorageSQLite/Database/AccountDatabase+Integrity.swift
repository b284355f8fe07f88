internal import CivilTime
internal import SQLite
package import Storage

extension AccountDatabase {
  /// Reads the whole archive and says what does not fit, as it is at one moment. Changes nothing.
  ///
  /// Takes as long as reading the file does.
  /// - Parameter tell: told now and then how many posts have been looked at, and how many there are.
  /// - Throws: what is not the file's damage: damage is a problem like others.
  package func integrity(
    tell: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(StorageError) -> ArchiveIntegrity {
    // Indexes lead across the file: with two megabytes, as by default, the same pages are read again and again.
    try connection.run("PRAGMA cache_size = \(-64 << 10)")
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    var problems: [String] = []
    var counts: (posts: Int, deleted: Int) = (0, 0)
    // Counted by its index of times, the smallest.
    let rows = (try? connection.first("SELECT count(*) FROM posts") { Int($0.integer(0)) }) ?? nil
    tell(0, rows ?? 0)
    problems += try meetingDamage { () throws(StorageError) in
      // sqlite.org/pragma.html#pragma_integrity_check: one row 'ok', or one for each problem. Older versions put all problems of the
      // pages into one row, with a heading.
      try connection.all("PRAGMA integrity_check(10)") { $0.text(0) }.filter { $0 != "ok" }
        .flatMap { $0.split(separator: "\n").map(String.init) }
    }
    problems += try meetingDamage { () throws(StorageError) in
      try connection.all("PRAGMA foreign_key_check") { $0.text(0) }.prefix(10).map { "a row of \($0) has no post" }
    }
    problems += try meetingDamage { () throws(StorageError) in
      var look = PostsLook(authors: try authors(), indexed: try indexedRows())
      defer { counts = (look.posts, look.deleted) }
      try connection.run(PostsLook.select) { row throws(StorageError) in
        look.take(row)
        if (look.posts + look.deleted).isMultiple(of: 10_000) { tell(look.posts + look.deleted, rows ?? 0) }
      }
      return look.problems(hours: try hours(), kept: try kept())
    }
    problems += try meetingDamage { () throws(StorageError) in
      let count =
        try connection.first("SELECT count(*) FROM spans WHERE oldest_key > newest_key") { $0.integer(0) } ?? 0
      return count > 0 ? ["\(count) stretches of the timeline end before they begin"] : []
    }
    return ArchiveIntegrity(posts: counts.posts, deleted: counts.deleted, problems: Self.distinct(problems))
  }

  private func authors() throws(StorageError) -> Set<String> {
    Set(try connection.all("SELECT id FROM authors") { $0.text(0) })
  }

  private func hours() throws(StorageError) -> [Int64: Int] {
    var hours: [Int64: Int] = [:]
    try connection.run("SELECT hour, posts FROM hours") { row throws(StorageError) in
      hours[row.integer(0)] = Int(row.integer(1))
    }
    return hours
  }

  /// The rows that are in the search index: in the part where they have to be, or in the index of version 4.
  private func indexedRows() throws(StorageError) -> Set<Int64> {
    // The index's own table of rows (sqlite.org/fts5.html#the_docsize_table): asking the index itself would need writing.
    var rows: Set<Int64> = []
    for part in try searchParts() {
      try connection.run("SELECT id FROM \(part.table)_docsize") { row throws(StorageError) in
        rows.insert(row.integer(0))
      }
    }
    guard try hasUndividedSearch() else { return rows }
    // What lies above was copied into parts, and goes with the table.
    let last = try lastUndividedRow()
    try connection.run("SELECT id FROM search_docsize WHERE id <= ?", [.integer(last)]) { row throws(StorageError) in
      rows.insert(row.integer(0))
    }
    return rows
  }

  /// Does a part of the looking; that it meets damage is one of the things that are wrong.
  private func meetingDamage(_ look: () throws(StorageError) -> [String]) throws(StorageError) -> [String] {
    do throws(StorageError) { return try look() } catch {
      guard error.kind == .damaged || error.kind == .inputOutput else { throw error }
      return [error.detail ?? error.message]
    }
  }

  private static func distinct(_ problems: [String]) -> [String] {
    var seen: Set<String> = []
    return problems.filter { seen.insert($0).inserted }
  }
}

/// One reading of all rows of `posts`, and what does not fit in them or to them.
private struct PostsLook {
  static let select =
    "SELECT row, created_at, author, post IS NULL, deleted_at IS NULL, post IS NULL OR json_valid(post) FROM posts"

  private(set) var posts = 0
  private(set) var deleted = 0
  private let authors: Set<String>
  /// The entries of the search index that belong to no post that was seen.
  private var strays: Set<Int64>
  private var hours: [Int64: Int] = [:]
  private var unreadable = 0
  private var torn = 0
  private var unindexed = 0
  private var authorless = 0

  init(authors: Set<String>, indexed: Set<Int64>) {
    self.authors = authors
    strays = indexed
  }

  mutating func take(_ row: borrowing SQLiteRow) {
    let isDeleted = row.integer(3) != 0
    if isDeleted == (row.integer(4) != 0) { torn += 1 }
    if row.integer(5) == 0 { unreadable += 1 }
    if isDeleted {
      deleted += 1
      return
    }
    posts += 1
    hours[Timestamp(milliseconds: row.integer(1)).hour, default: 0] += 1
    if strays.remove(row.integer(0)) == nil { unindexed += 1 }
    if let author = row.textOrNull(2), !authors.contains(author) { authorless += 1 }
  }

  /// - Parameters:
  ///   - hours: how many posts there are to be of each hour.
  ///   - kept: how many in all.
  func problems(hours counted: [Int64: Int], kept: Int) -> [String] {
    let wrongHours = Set(hours.keys).union(counted.keys).count { hours[$0] != counted[$0] }
    let found = [
      (unreadable, "posts cannot be read"), (torn, "posts are neither whole nor deleted"),
      (unindexed, "posts are not in the index of words"), (strays.count, "entries of the index of words have no post"),
      (wrongHours, "hours are counted wrongly"), (abs(kept - posts), "posts more or fewer are kept than were counted"),
      (authorless, "posts have no author"),
    ]
    return found.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
