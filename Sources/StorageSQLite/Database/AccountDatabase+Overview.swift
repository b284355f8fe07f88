package import CivilTime
package import Files
internal import SQLite
package import Storage
package import Timeline

extension AccountDatabase {
  /// How many posts were published in each hour of the week that ends with the hour of `now`: 168 numbers, that hour last.
  package func hoursOfWeek(at now: Timestamp) throws(StorageError) -> [Int] {
    var hours = [Int](repeating: 0, count: 168)
    let first = now.hour - 167
    try connection.run(
      "SELECT hour, posts FROM hours WHERE hour BETWEEN ? AND ?", [.integer(first), .integer(now.hour)]
    ) { row throws(StorageError) in hours[Int(row.integer(0) - first)] = Int(row.integer(1)) }
    return hours
  }

  /// How many posts are kept, as they were counted one by one.
  package func kept() throws(StorageError) -> Int {
    Int(try connection.first("SELECT kept FROM state WHERE row = 1") { $0.integer(0) } ?? 0)
  }

  /// The gaps of the timeline, newest first, as far down as the posts of `oldest`. What was brought in from elsewhere is below a gap too.
  /// - Parameter pages: that are not stored.
  package func gaps(downTo oldest: PostPosition, with pages: [UnstoredPage] = []) throws(StorageError) -> [Gap] {
    let spans = try spans(with: pages)
    var gaps = spans.gaps
    if let bottom = spans.bottom,
      let stray = try posts(below: bottom.oldest.key, atMost: 1).first, stray.mark < bottom.oldest
    {
      gaps.append(Gap(after: stray.mark, before: bottom.oldest, cursor: bottom.older))
    }
    return gaps.filter { oldest <= $0.after }
  }

  /// The post to which a mark of what is read goes; the newest one when none is named.
  package func mark(ofPost id: PostID?) throws(StorageError) -> PostPosition? {
    guard let id else { return try newestPosts(1).first?.mark }
    return try connection.first("SELECT key FROM posts WHERE id = ? ORDER BY key DESC", [.text(id.text)]) {
      PostPosition(id: id, key: PostKey($0.text(0)))
    }
  }
}

extension AccountDatabase {
  /// Opens the account's archive to look at it, while its owner may be writing.
  /// - Returns: `nil` when there is none, or none that has been begun.
  /// - Throws: `.olderVersion` where it has no authors, edits and words yet.
  package static func openArchive(_ files: AccountFiles) throws(StorageError) -> AccountDatabase? {
    guard let database = try openForReading(files) else { return nil }
    if database.hasArchive { return database }
    database.close()
    throw StorageError(
      .olderVersion, "\(files.database): written by an older homeline",
      hint: "The service brings it up to date when it starts next; or run: homeline refresh")
  }
}
