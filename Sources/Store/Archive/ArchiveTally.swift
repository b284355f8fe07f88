internal import CivilTime

/// What a transaction changes in the numbers of posts, written at its end in as few rows as can be.
struct ArchiveTally {
  private var kept = 0
  private var hours: [Int64: Int] = [:]

  /// - Parameter count: 1 for a post that came, -1 for one that went.
  mutating func note(_ count: Int, publishedAt time: Timestamp) {
    kept += count
    hours[time.hour, default: 0] += count
  }

  func write(to connection: SQLiteConnection) throws(SQLiteError) {
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

extension Timestamp {
  /// Whole hours since 1970.
  var hour: Int64 { (milliseconds - (milliseconds % 3_600_000 + 3_600_000) % 3_600_000) / 3_600_000 }
}
