internal import Storage
internal import Time

/// A transaction's changes to the numbers of posts, written at its end in as few rows as possible.
struct ArchiveTally {
  private var kept = 0
  private var hours: [Int64: Int] = [:]

  /// Records a change.
  /// - Parameter count: 1 for an added post, -1 for a removed one.
  mutating func note(_ count: Int, publishedAt time: Timestamp) {
    kept += count
    hours[time.hour, default: 0] += count
  }

  func write(to connection: SQLiteConnection) throws(StorageError) {
    guard !hours.isEmpty else { return }
    for (hour, count) in hours where count != 0 {
      try connection.run(
        "INSERT INTO hours (hour, posts) VALUES (?1, ?2) ON CONFLICT (hour) DO UPDATE SET posts = posts + ?2",
        [.integer(hour), .integer(Int64(count))])
      if count < 0 { try connection.run("DELETE FROM hours WHERE hour = ? AND posts <= 0", [.integer(hour)]) }
    }
    try connection.run("UPDATE state SET kept = coalesce(kept, 0) + ? WHERE row = 1", [.integer(Int64(kept))])
  }
}
