internal import CivilTime
internal import Platform
internal import Publish
internal import SQLite
internal import Storage
internal import Timeline

/// Takes out of a damaged database what can still be read of it. The damaged file stays as it is.
struct Salvage {
  private let damaged: SQLiteConnection
  private let whole: AccountDatabase

  /// How many posts are written in one transaction.
  private static let step = 500

  /// - Parameters:
  ///   - path: a database of any version of ours, closed.
  ///   - whole: an empty one, which gets all that can be read. What of it is there already stays.
  /// - Returns: what was read, also where the new database cannot take more of it.
  static func copy(from path: String, into whole: AccountDatabase) -> Salvaged {
    // Where not even that works there is nothing to be read.
    guard let damaged = try? SQLiteConnection(path, .salvaging) else { return Salvaged() }
    defer {
      damaged.close()
      // Made for reading, and of no use to anybody.
      try? File.remove("\(path)-shm")
    }
    // Nothing is written here; but only so a file that has been cut is read at all.
    try? damaged.run("PRAGMA writable_schema = ON")
    var salvaged = Salvaged()
    let salvage = Salvage(damaged: damaged, whole: whole)
    do throws(StorageError) { try salvage.copy(&salvaged) } catch { salvaged.isWhole = false }
    return salvaged
  }

  private func copy(_ salvaged: inout Salvaged) throws(StorageError) {
    // What has been spent matters most, and costs least.
    try whole.connection.transaction { () throws(StorageError) in try copyBooks() }
    let isWhole = try copyPosts(&salvaged)
    let spans = isWhole ? spans() : nil
    try copyState(isWhole: spans != nil)
    guard let spans else { return }
    try whole.connection.transaction { () throws(StorageError) in try whole.replaceSpans(Spans(), by: spans) }
    salvaged.isWhole = true
  }

  // MARK: Posts

  /// - Returns: whether no post is missing.
  private func copyPosts(_ salvaged: inout Salvaged) throws(StorageError) -> Bool {
    var portion: [DamagedPost] = []
    let table = DamagedTable(columns: DamagedPost.columns(of: damaged), table: "posts") { DamagedPost($0) }
    let isWhole = try table.read(from: damaged) { post throws(StorageError) in
      portion.append(post)
      if portion.count == Self.step {
        try write(portion, &salvaged)
        portion = []
      }
    }
    try write(portion, &salvaged)
    return isWhole
  }

  private func write(_ posts: [DamagedPost], _ salvaged: inout Salvaged) throws(StorageError) {
    let complete = posts.map { $0.post.edited(edits(of: $0.row)) }
    try whole.connection.transaction { () throws(StorageError) in
      var table = PostTable(whole.connection)
      for (post, damaged) in zip(complete, posts) {
        guard try table.take(post, seenAt: damaged.seenAt, at: post.createdAt) else { continue }
        if post.post == nil { salvaged.deleted += 1 } else { salvaged.posts += 1 }
      }
      try table.close()
    }
  }

  private func edits(of row: Int64) -> [ImportedPost.Edit] {
    let found = try? damaged.all("SELECT until, id, text FROM edits WHERE row = ? ORDER BY until", [.integer(row)]) {
      ImportedPost.Edit(until: Timestamp(milliseconds: $0.integer(0)), id: PostID($0.text(1)), text: $0.text(2))
    }
    return found ?? []
  }

  // MARK: What is known of them

  /// - Returns: `nil` where they cannot be read.
  private func spans() -> Spans? {
    let found = try? damaged.all("SELECT newest_key, newest_id, oldest_key, oldest_id, older_cursor FROM spans") {
      row in
      (
        PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0))),
        PostPosition(id: PostID(row.text(3)), key: PostKey(row.text(2))), row.textOrNull(4).map { PageCursor($0) }
      )
    }
    guard let found, found.allSatisfy({ $0.1 <= $0.0 }) else { return nil }
    return Spans(found.map { Span(newest: $0.0, oldest: $0.1, older: $0.2) })
  }

  /// Whose the timeline is, what was read of it and from when on it is kept. Without all posts the newest page is to come again,
  /// whatever its tag.
  private func copyState(isWhole: Bool) throws(StorageError) {
    let names = (try? damaged.all("SELECT name FROM pragma_table_info('state')") { $0.text(0) }) ?? []
    let columns = AccountState.columns.map { names.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
    let found = try? damaged.first("SELECT \(columns) FROM state WHERE row = 1") { AccountState($0) }
    guard var state = found ?? nil else { return }
    if !isWhole { state.entityTag = nil }
    _ = try whole.write(state, expecting: whole.revision())
  }

  /// What was spent, and on what; which words are not to come back, and what was still to be removed.
  private func copyBooks() throws(StorageError) {
    let columns = ["day", "requests", "posts", "users", "micro_usd", "reserved_posts", "reserved_micro_usd"]
    let days = try? damaged.all("SELECT \(columns.joined(separator: ", ")) FROM days") { row in
      (0..<Int32(columns.count)).map { SQLiteValue.integer(row.integer($0)) }
    }
    for day in days ?? [] {
      try whole.connection.run("INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day) DO NOTHING", day)
    }
    for id in (try? damaged.all("SELECT id FROM purged") { SQLiteValue.text($0.text(0)) }) ?? [] {
      try whole.connection.run("INSERT OR IGNORE INTO purged (id) VALUES (?)", [id])
    }
    // A purge that was not finished goes on with all that is read of the damaged file.
    let purges = try? damaged.all("SELECT kind, argument FROM purges") {
      [SQLiteValue.text($0.text(0)), .text($0.text(1))]
    }
    for purge in purges ?? [] {
      try whole.connection.run("INSERT INTO purges (kind, argument, last_row) VALUES (?, ?, \(Int64.max))", purge)
    }
    let billed = try? damaged.all("SELECT kind, id FROM billed") { [SQLiteValue.text($0.text(0)), .text($0.text(1))] }
    for entry in billed ?? [] {
      try whole.connection.run("INSERT INTO billed (kind, id) VALUES (?, ?) ON CONFLICT (kind, id) DO NOTHING", entry)
    }
  }
}

extension ImportedPost {
  /// The same with what it said before.
  fileprivate func edited(_ edits: [Edit]) -> ImportedPost {
    post.map { ImportedPost($0, key: key, source: source, edits: edits) } ?? self
  }
}
