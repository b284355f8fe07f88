internal import Storage
internal import Time
internal import Timeline

extension AccountDatabase {
  /// Removes the oldest posts beyond the limits, at most one portion. Call this within a transaction.
  func prune(_ retention: Retention, _ table: inout PostTable, at now: Timestamp) throws(StorageError) {
    try table.eraseDeleted(upTo: retention.endOfHidden(at: now), at: now)
    var rows: Set<Int64> = []
    if let newest = retention.newest, let bound = try key(ofNewest: newest) {
      for stored in try oldest("key < ?", .text(bound), order: "key") where rows.insert(stored.row).inserted {
        try table.remove(stored, isOldest: true)
      }
    }
    if let begin = retention.begin(at: now) {
      let old = try oldest("created_at < ?", .integer(begin.milliseconds), order: "created_at")
      for stored in old where rows.insert(stored.row).inserted { try table.remove(stored) }
    }
    guard !rows.isEmpty else { return }
    try cutSpans()
  }

  /// Truncates the spans at the oldest stored post.
  func cutSpans() throws(StorageError) {
    let oldest = try connection.first("SELECT id, key FROM posts ORDER BY key LIMIT 1") {
      PostPosition(id: PostID($0.text(0)), key: PostKey($0.text(1)))
    }
    let known = try spans(of: .home)
    var cut = known
    if let oldest { cut.cut(below: oldest) } else { cut.cutToTop() }
    if cut != known { try replaceSpans(known, by: cut) }
  }

  /// The maximum number of posts that one page's transaction removes, so that a new limit on a large archive does not delay other work.
  private static let pruned = 500

  private func key(ofNewest count: Int) throws(StorageError) -> String? {
    try connection.first(
      "SELECT key FROM posts ORDER BY key DESC LIMIT 1 OFFSET ?", [.integer(Int64(max(count, 1) - 1))]
    ) { $0.text(0) }
  }

  private func oldest(
    _ condition: String, _ value: SQLiteValue, order: String
  ) throws(StorageError) -> [PostTable.StoredPost] {
    try connection.all(
      "SELECT \(PostTable.columns) FROM posts WHERE \(condition) ORDER BY \(order) LIMIT \(Self.pruned)", [value]
    ) { PostTable.storedPost($0) }
  }
}
