package import Folders
package import Storage
package import Time
package import Timeline

extension AccountDatabase {
  /// Counts the posts published in each hour of the week that ends with the hour of `now`: 168 numbers, oldest hour first.
  package func hoursOfWeek(at now: Timestamp) throws(StorageError) -> [Int] {
    var hours = [Int](repeating: 0, count: 168)
    let first = now.hour - 167
    try connection.run(
      "SELECT hour, posts FROM hours WHERE hour BETWEEN ? AND ?", [.integer(first), .integer(now.hour)]
    ) { row throws(StorageError) in hours[Int(row.integer(0, in: first...now.hour) - first)] = row.amount(1) }
    return hours
  }

  package func timelines() throws(StorageError) -> [StoredTimeline] {
    var timelines = [StoredTimeline(.home, posts: try countOfPosts())]
    guard try seesOthers() else { return timelines }
    let names = try OtherTimelineTables.names(in: connection).sorted { $0.value.description < $1.value.description }
    for (number, name) in names {
      let rows = TimelineRows(number: number)
      let count = try connection.first(
        "SELECT count(*) FROM \(rows.posts) WHERE post IS NOT NULL", rows.values
      ) { $0.amount(0) }
      timelines.append(StoredTimeline(name, posts: count ?? 0))
    }
    return timelines
  }

  /// Returns the number of stored posts of the home timeline, which each write updates.
  package func countOfPosts() throws(StorageError) -> Int {
    try connection.first("SELECT kept FROM state WHERE row = 1") { $0.amount(0) } ?? 0
  }

  /// Returns the number of posts that the user's filters hide. They are a small part of the archive, so they are counted each time.
  package func countOfFilteredPosts() throws(StorageError) -> Int {
    guard hasFiltered else { return 0 }
    return try connection.first(
      "SELECT count(*) FROM \(PostTable.hiddenPosts) WHERE deleted_at IS NULL", []
    ) { $0.amount(0) } ?? 0
  }

  /// Returns the timeline's gaps, newest first, down to the post at `oldest`. Imported posts are treated as if a gap were above them.
  /// - Parameter pages: the timeline's pages that are not stored yet.
  package func gaps(
    of timeline: TimelineName, downTo oldest: PostPosition, with pages: [UnstoredPage] = []
  ) throws(StorageError) -> [Gap] {
    let spans = try spans(of: timeline, with: pages)
    var gaps = spans.gaps
    if let bottom = spans.bottom,
      let stray = try stray(of: timeline, below: bottom.oldest.key), stray < bottom.oldest
    {
      gaps.append(Gap(after: stray, before: bottom.oldest, cursor: bottom.older))
    }
    return gaps.filter { oldest <= $0.after }
  }

  /// Returns the newest stored post below the fetched ones.
  private func stray(of timeline: TimelineName, below bottom: PostKey) throws(StorageError) -> PostPosition? {
    func found() throws(StorageError) -> DatabaseMemory.StrayPost {
      DatabaseMemory.StrayPost(
        bottom: bottom, position: try posts(of: timeline, below: bottom, atMost: 1).first?.mark)
    }
    let known = try remembered(\.stray, of: timeline, found)
    return known.bottom == bottom ? known.position : try found().position
  }

  package func positions(of id: PostID, in timeline: TimelineName?) throws(StorageError) -> [PostPosition] {
    guard let rows = try rows(of: timeline ?? .home) else { return [] }
    let keys = try connection.all("SELECT key FROM \(rows.posts) WHERE id = ?", rows.values + [.text(id.text)]) {
      $0.text(0)
    }
    return keys.filter { timeline == nil || StoredKey.isInHome($0) }
      .map { PostPosition(id: id, key: StoredKey.key($0)) }.sorted(by: >)
  }
}

extension AccountDatabase {
  /// Opens the account's archive for reading, even while the state owner writes to it.
  /// - Returns: `nil` if the archive does not exist or has no content yet.
  /// - Throws: `.olderVersion` if it still lacks authors, edits and the search index.
  package static func openArchive(
    _ files: AccountFiles, by readers: IdleReaders? = nil
  ) throws(StorageError) -> AccountDatabase? {
    guard let database = try openForReading(files, by: readers) else { return nil }
    if database.hasArchive { return database }
    database.close()
    throw StorageError(
      .olderVersion, "\(files.database): written by an older homeline",
      hint: "The service upgrades it at its next start. To upgrade it now, run: homeline refresh")
  }
}
