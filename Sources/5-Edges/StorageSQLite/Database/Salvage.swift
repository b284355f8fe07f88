internal import Formats
internal import Platform
internal import Storage
internal import Time
internal import Timeline

/// Copies the readable content of a corrupt database. The corrupt file is left unchanged.
struct Salvage {
  private let damaged: SQLiteConnection
  private let target: SQLiteConnection

  /// The number of posts written in one transaction.
  private static let step = 500

  /// Copies all readable content.
  /// - Parameters:
  ///   - path: a closed database of any version of this program.
  ///   - target: a database that receives the content. Its own content is not changed.
  ///   - store: stores the recovered state and, if all posts were readable, the spans of all timelines.
  /// - Returns: the recovered content, even if the new database could not store all of it.
  static func copy(
    from path: String, into target: SQLiteConnection,
    store: (AccountState?, [TimelineName: Spans]) throws(StorageError) -> Void
  ) -> Salvaged {
    // If the file cannot be opened, no content is readable.
    guard let damaged = try? SQLiteConnection(path, .salvaging) else { return Salvaged() }
    defer {
      damaged.close()
      // SQLite created this file in order to read, and no other process uses it.
      try? File.remove("\(path)-shm")
    }
    // The file is not written to, but a truncated file is readable only with this setting.
    try? damaged.run("PRAGMA writable_schema = ON")
    var salvaged = Salvaged()
    let salvage = Salvage(damaged: damaged, target: target)
    do throws(StorageError) { try salvage.copy(&salvaged, store: store) } catch { salvaged.isComplete = false }
    return salvaged
  }

  private func copy(
    _ salvaged: inout Salvaged, store: (AccountState?, [TimelineName: Spans]) throws(StorageError) -> Void
  ) throws(StorageError) {
    // The recorded spending comes first, because it is the most important part and takes the least time.
    try target.transaction { () throws(StorageError) in try copySpendingAndPurges() }
    let isComplete = try copyPosts(&salvaged)
    let spans = isComplete ? allSpans() : nil
    try store(state(isComplete: spans != nil), spans ?? [:])
    salvaged.isComplete = spans != nil
  }

  // MARK: Posts

  /// Copies the posts.
  /// - Returns: whether all posts were readable.
  private func copyPosts(_ salvaged: inout Salvaged) throws(StorageError) -> Bool {
    let entries = DamagedEntries(damaged)
    var portion: [DamagedPost] = []
    let table = DamagedTable(columns: DamagedPost.columns(of: damaged), table: "posts") { DamagedPost($0) }
    let isComplete = try table.read(from: damaged) { post throws(StorageError) in
      portion.append(post)
      if portion.count == Self.step {
        try write(portion, entries, &salvaged)
        portion = []
      }
    }
    try write(portion, entries, &salvaged)
    try write(entries.notices())
    return isComplete && entries.areComplete
  }

  private func write(
    _ posts: [DamagedPost], _ entries: DamagedEntries, _ salvaged: inout Salvaged
  ) throws(StorageError) {
    let complete = posts.map { ($0.post.edited(edits(of: $0.row)), entries.entries(of: $0.row)) }
    try target.transaction { () throws(StorageError) in
      var numbers: [TimelineName: Int64] = [:]
      for (_, entries) in complete {
        for timeline in Set(entries.map(\.timeline)) where numbers[timeline] == nil {
          numbers[timeline] = try number(timeline)
        }
      }
      var table = PostTable(target, hasOthers: !numbers.isEmpty)
      for ((post, entries), damaged) in zip(complete, posts) {
        // A post whose timelines are unknown may be of a private one.
        guard damaged.isInHome || !entries.isEmpty,
          try table.restore(post, isInHome: damaged.isInHome, entries, numbers, seenAt: damaged.seenAt)
        else { continue }
        if post.post == nil { salvaged.deleted += 1 } else { salvaged.posts += 1 }
      }
      try table.close()
    }
  }

  /// Writes notifications that concern no post.
  private func write(_ notices: [DamagedEntries.Entry]) throws(StorageError) {
    if notices.isEmpty { return }
    try target.transaction { () throws(StorageError) in
      for entry in notices { try entry.insert(into: target, row: nil, number: number(entry.timeline)) }
    }
  }

  private func number(_ timeline: TimelineName) throws(StorageError) -> Int64 {
    if try !target.hasTable(OtherTimelineTables.name) { try OtherTimelineTables.create(in: target) }
    return try OtherTimelineTables.newNumber(of: timeline, in: target)
  }

  private func edits(of row: Int64) -> [ImportedPost.Edit] {
    let found = try? damaged.all("SELECT until, id, text FROM edits WHERE row = ? ORDER BY until", [.integer(row)]) {
      ImportedPost.Edit(until: $0.time(0), id: PostID($0.text(1)), text: $0.text(2))
    }
    return found ?? []
  }

  // MARK: State and spending

  /// Returns the spans of all timelines; `nil` if they are not readable.
  private func allSpans() -> [TimelineName: Spans]? {
    guard let home = spans("spans") else { return nil }
    var all: [TimelineName: Spans] = [.home: home]
    guard let names = DamagedEntries.names(in: damaged) else { return nil }
    for (number, name) in names {
      guard let spans = spans("other_spans WHERE timeline = \(number)") else { return nil }
      all[name] = spans
    }
    return all
  }

  private func spans(_ table: String) -> Spans? {
    let found = try? damaged.all("SELECT newest_key, newest_id, oldest_key, oldest_id, older_cursor FROM \(table)") {
      row in
      (
        PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0))),
        PostPosition(id: PostID(row.text(3)), key: PostKey(row.text(2))), row.textOrNull(4).map { PageCursor($0) }
      )
    }
    guard let found, found.allSatisfy({ $0.1 <= $0.0 }) else { return nil }
    return Spans(found.map { Span(newest: $0.0, oldest: $0.1, older: $0.2) })
  }

  /// Reads the identity, the read position and the earliest publication time. If posts are missing, the entity tag is left out, so that the
  /// newest page is fetched again.
  private func state(isComplete: Bool) -> AccountState? {
    let names = (try? damaged.all("SELECT name FROM pragma_table_info('state')") { $0.text(0) }) ?? []
    let columns = AccountState.columns.map { names.contains($0) ? $0 : DatabaseSchema.substitute(for: $0) }.joined(
      separator: ", ")
    let found = try? damaged.first("SELECT \(columns) FROM state WHERE row = 1") { AccountState($0) }
    guard var state = found ?? nil else { return nil }
    if DamagedEntries.hasTable(in: damaged) {
      try? state.addOthers(from: damaged)
    }
    if !isComplete { for timeline in state.otherTimelines.union([.home]) { state[timeline].entityTag = nil } }
    return state
  }

  /// Copies spending, billed posts, purged ids and unfinished purges.
  private func copySpendingAndPurges() throws(StorageError) {
    let columns = ["day", "requests", "posts", "users", "micro_usd", "reserved_posts", "reserved_micro_usd"]
    let days = try? damaged.all("SELECT \(columns.joined(separator: ", ")) FROM days") { row in
      (0..<Int32(columns.count)).map { SQLiteValue.integer(Int64(row.amount($0))) }
    }
    for day in days ?? [] {
      try target.run("INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day) DO NOTHING", day)
    }
    for id in (try? damaged.all("SELECT id FROM purged") { SQLiteValue.text($0.text(0)) }) ?? [] {
      try target.run("INSERT OR IGNORE INTO purged (id) VALUES (?)", [id])
    }
    // An unfinished purge continues with all recovered posts.
    let purges = try? damaged.all("SELECT kind, argument FROM purges") {
      [SQLiteValue.text($0.text(0)), .text($0.text(1))]
    }
    for purge in purges ?? [] {
      try target.run("INSERT INTO purges (kind, argument, last_row) VALUES (?, ?, \(Int64.max))", purge)
    }
    let billed = try? damaged.all("SELECT kind, id FROM billed") { [SQLiteValue.text($0.text(0)), .text($0.text(1))] }
    for entry in billed ?? [] {
      try target.run("INSERT INTO billed (kind, id) VALUES (?, ?) ON CONFLICT (kind, id) DO NOTHING", entry)
    }
  }
}

extension ImportedPost {
  /// Returns the same post with edits.
  fileprivate func edited(_ edits: [Edit]) -> ImportedPost {
    post.map { ImportedPost($0, key: key, source: source, edits: edits) } ?? self
  }
}
