internal import CivilTime
internal import SQLite
internal import Storage
internal import Timeline

extension AccountDatabase {
  /// Removes the oldest of what is not to be kept any more, at most a portion. To be called within a transaction.
  func prune(_ retention: Retention, _ table: inout PostTable, at now: Timestamp) throws(StorageError) {
    try table.eraseHidden(upTo: retention.endOfHidden(at: now))
    var rows: Set<Int64> = []
    if let newest = retention.newest, let bound = try key(ofNewest: newest) {
      for kept in try oldest("key < ?", .text(bound), order: "key") where rows.insert(kept.row).inserted {
        try table.remove(kept, isOldest: true)
      }
    }
    if let begin = retention.begin(at: now) {
      let old = try oldest("created_at < ?", .integer(begin.milliseconds), order: "created_at")
      for kept in old where rows.insert(kept.row).inserted { try table.remove(kept) }
    }
    guard !rows.isEmpty else { return }
    try cutSpans()
  }

  /// Ends the spans where the oldest post is that is kept.
  func cutSpans() throws(StorageError) {
    let oldest = try connection.first("SELECT id, key FROM posts ORDER BY key LIMIT 1") {
      PostPosition(id: PostID($0.text(0)), key: PostKey($0.text(1)))
    }
    let known = try spans()
    var cut = known
    if let oldest { cut.cut(below: oldest) } else { cut.cutToTop() }
    if cut != known { try replaceSpans(known, by: cut) }
  }

  /// How many posts one page's transaction removes at most, so that a limit set on a large archive holds nobody up.
  private static let pruned = 500

  private func key(ofNewest count: Int) throws(StorageError) -> String? {
    try connection.first(
      "SELECT key FROM posts ORDER BY key DESC LIMIT 1 OFFSET ?", [.integer(Int64(max(count, 1) - 1))]
    ) { $0.text(0) }
  }

  private func oldest(
    _ condition: String, _ value: SQLiteValue, order: String
  ) throws(StorageError) -> [PostTable.Kept] {
    try connection.all(
      "SELECT \(PostTable.columns) FROM posts WHERE \(condition) ORDER BY \(order) LIMIT \(Self.pruned)", [value]
    ) { PostTable.kept($0) }
  }
}
