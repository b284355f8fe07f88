internal import Storage
internal import Time
internal import Timeline

extension AccountDatabase {
  /// Removes the home timeline's oldest posts beyond the limits, at most one portion. Call this within a transaction.
  func prune(_ retention: Retention, _ table: inout PostTable, at now: Timestamp) throws(StorageError) {
    try table.eraseDeleted(upTo: retention.endOfHidden(at: now), at: now)
    var rows: Set<Int64> = []
    if let newest = retention.newest, let bound = try key(ofNewest: newest) {
      for stored in try oldest("key < ?", .text(bound), order: "key") where rows.insert(stored.row).inserted {
        try table.removeFromHome(stored, isOldest: true)
      }
    }
    if let begin = retention.begin(at: now) {
      let old = try oldest("created_at < ?", .integer(begin.milliseconds), order: "created_at")
      for stored in old where rows.insert(stored.row).inserted { try table.removeFromHome(stored) }
    }
    guard !rows.isEmpty else { return }
    try cutSpans(of: .home)
  }

  /// Removes another timeline's oldest entries beyond the limits in the same way. A post is removed with its last entry.
  func prune(
    _ retention: Retention, of timeline: TimelineName, _ number: Int64, _ table: inout PostTable, at now: Timestamp
  ) throws(StorageError) {
    try table.eraseDeleted(upTo: retention.endOfHidden(at: now), at: now)
    var keys: Set<PostKey> = []
    if let newest = retention.newest, let bound = try table.key(ofNewest: newest, in: number) {
      for entry in try table.oldestEntries("entries.key < ?", .text(bound), order: "key", Self.pruned, in: number)
      where keys.insert(entry.key).inserted { try table.remove(entry, from: number, isOldest: true) }
    }
    if let begin = retention.begin(at: now) {
      let old = try table.oldestEntries("at < ?", .integer(begin.milliseconds), order: "at", Self.pruned, in: number)
      for entry in old where keys.insert(entry.key).inserted { try table.remove(entry, from: number) }
    }
    guard !keys.isEmpty else { return }
    try cutSpans(of: timeline)
  }

  /// Truncates a timeline's spans at its oldest stored post.
  func cutSpans(of timeline: TimelineName) throws(StorageError) {
    guard let rows = try rows(of: timeline) else { return }
    let bound = timeline == .home && hasOthers ? " WHERE \(StoredKey.isHome)" : ""
    let oldest = try connection.first("SELECT id, key FROM \(rows.posts)\(bound) ORDER BY key LIMIT 1", rows.values) {
      PostPosition(id: PostID($0.text(0)), key: PostKey($0.text(1)))
    }
    let known = try spans(of: timeline)
    var cut = known
    if let oldest { cut.cut(below: oldest) } else { cut.cutToTop() }
    if cut != known { try replaceSpans(known, by: cut, of: timeline) }
  }

  /// The maximum number of posts that one page's transaction removes, so that a new limit on a large archive does not delay other work.
  private static let pruned = 500

  private func key(ofNewest count: Int) throws(StorageError) -> String? {
    // An account with home alone keeps the shorter statement.
    let bound = hasOthers ? " WHERE \(StoredKey.isHome)" : ""
    return try connection.first(
      "SELECT key FROM posts\(bound) ORDER BY key DESC LIMIT 1 OFFSET ?", [.integer(Int64(max(count, 1) - 1))]
    ) { $0.text(0) }
  }

  private func oldest(
    _ condition: String, _ value: SQLiteValue, order: String
  ) throws(StorageError) -> [PostTable.StoredPost] {
    let bound = hasOthers ? " AND \(StoredKey.isHome)" : ""
    let end = "ORDER BY \(order) LIMIT \(Self.pruned)"
    return try connection.all(
      "SELECT \(PostTable.columns) FROM posts WHERE \(condition)\(bound) \(end)", [value]
    ) { PostTable.storedPost($0) }
  }
}
