package import Storage
package import Time
package import Timeline

/// Checks whether posts were deleted on their server, by requesting posts that are missing from the newest page one by one.
extension AccountDatabase {
  /// The limits and intervals of these checks.
  package enum DeletionChecks {
    /// The maximum number of posts to check after one page.
    static let perPage = 5
    /// The minimum time between two reports that a post is gone. A second report before that does not count. This is also the pause after
    /// an unclear response.
    static let pause = Duration.seconds(3600)
    /// The pause after the server has returned a post that its timeline does not show, perhaps because the user unfollowed the author.
    static let pauseOfPresent = Duration.seconds(86_400)
  }

  /// Returns the posts to look up on the server: posts that are missing from the timeline's newest page, and posts that the server has
  /// already reported as deleted once. Call this after the newest page was read without a lower bound and stored. Returns no posts if more than 20
  /// % of the expected posts are missing, because unfollowing, blocking and rebuilding a timeline have the same effect.
  /// - Returns: at most ``DeletionChecks/perPage`` posts, beginning with those already reported as deleted.
  package func postsToCheck(
    of timeline: TimelineName, missingFrom page: Page, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<[PostPosition]> {
    try write(expecting: revision) { () throws(StorageError) in
      try connection.run(
        "DELETE FROM deletion_checks WHERE gone_at IS NULL AND NOT \(Self.isWaiting)", [.integer(now.milliseconds)])
      guard let missing = try posts(of: timeline, missingFrom: page) else { return [] }
      let doubted = try connection.all(
        """
        SELECT key, id FROM posts JOIN deletion_checks USING (row)
        WHERE gone_at IS NOT NULL AND NOT \(Self.isWaiting) AND deleted_at IS NULL ORDER BY gone_at LIMIT ?2
        """, [.integer(now.milliseconds), .integer(Int64(DeletionChecks.perPage))]
      ) { Self.mark($0) }
      var chosen = doubted
      for mark in missing where chosen.count < DeletionChecks.perPage {
        let isNoted = try connection.first(
          "SELECT 1 FROM posts JOIN deletion_checks USING (row) WHERE key IN (?, ?)",
          [true, false].map { .text(StoredKey.text(mark.key, isInHome: $0)) }, { _ in true })
        if isNoted == nil { chosen.append(mark) }
      }
      return chosen
    }
  }

  package func note(
    _ presence: PostPresence, of mark: PostPosition, at now: Timestamp, keeping retention: Retention,
    state: AccountState?,
    expecting revision: Revision
  ) throws(StorageError) -> Written<Bool> {
    let written = try write(expecting: revision) { () throws(StorageError) in
      var table = postTable()
      var isHidden = false
      if let stored = try table.storedPost(anywhereAt: mark.key), !stored.isDeleted {
        let goneAt = try connection.first("SELECT gone_at FROM deletion_checks WHERE row = ?", [.integer(stored.row)]) {
          $0.timeOrNull(0)
        }
        // A time in the future was recorded while the clock was wrong.
        let first = (goneAt ?? nil).flatMap { $0 <= now ? $0 : nil }
        switch presence {
        case .present: try set(nil, pause: DeletionChecks.pauseOfPresent, of: stored.row, at: now)
        case .unknown: try set(first, pause: DeletionChecks.pause, of: stored.row, at: now)
        case .gone:
          isHidden = first.map { now - $0 >= DeletionChecks.pause } ?? false
          if isHidden {
            try connection.run("DELETE FROM deletion_checks WHERE row = ?", [.integer(stored.row)])
            try table.setAside(stored, as: .deleted, at: now)
            try table.eraseDeleted(upTo: retention.endOfHidden(at: now), at: now)
          } else {
            try set(first ?? now, pause: DeletionChecks.pause, of: stored.row, at: now)
          }
        }
      }
      try table.close()
      try replace(self.state(), by: state)
      return (isHidden, try table.changesByTimeline())
    }
    notify(written.value.1)
    return Written(written.value.0, written.revision)
  }

  /// Removes the pending checks of posts that a page contains. Call this within a transaction.
  func clearDeletionChecks(of page: Page) throws(StorageError) {
    for entry in page.entries {
      let keys = [true, false].map { SQLiteValue.text(StoredKey.text(entry.postKey, isInHome: $0)) }
      try connection.run(
        "DELETE FROM deletion_checks WHERE row IN (SELECT row FROM posts WHERE key IN (?, ?))", keys)
    }
  }

  /// The SQL condition that is true while it is too early for a check; ?1 is the current time. A time further ahead than the longest pause
  /// was recorded while the clock was wrong.
  private static let isWaiting =
    "(again_at > ?1 AND again_at <= ?1 + \(DeletionChecks.pauseOfPresent / .milliseconds(1)))"

  private static func mark(_ row: borrowing SQLiteRow) -> PostPosition {
    PostPosition(id: PostID(row.text(1)), key: StoredKey.key(row.text(0)))
  }

  private func set(_ goneAt: Timestamp?, pause: Duration, of row: Int64, at now: Timestamp) throws(StorageError) {
    try connection.run(
      "INSERT OR REPLACE INTO deletion_checks (row, gone_at, again_at) VALUES (?, ?, ?)",
      [.integer(row), SQLiteValue(goneAt?.milliseconds), .integer((now + pause).milliseconds)])
  }

  /// Returns the stored posts, shown or filtered, that are missing from the newest page, newest first. The page was read without an upper bound, so stored
  /// posts above its newest post are missing too.
  /// - Returns: `nil` if the page allows no conclusion, because more than 20 % of the posts are missing or its range is incomplete.
  private func posts(
    of timeline: TimelineName, missingFrom page: Page
  ) throws(StorageError) -> [PostPosition]? {
    // A post that is no longer marked, or an event that the user dismissed, is missing too.
    guard !timeline.isPrivate, !page.hasEvents, let rows = try rows(of: timeline) else { return nil }
    let placed = try postTable().placed(page, below: nil)
    guard let bound = lowerBound(of: placed) else { return nil }
    let shown = Set(placed.entries.map(\.key))
    // Beyond twice the page's number of posts, the share of missing posts exceeds the limit anyway.
    let stored = try connection.all(
      "SELECT key, id FROM \(rows.posts) WHERE key >= ? AND deleted_at IS NULL ORDER BY key DESC LIMIT ?",
      rows.values + [.text(bound.text), .integer(Int64(2 * shown.count + 1))]
    ) { Self.mark($0) }
    let missing = stored.filter { !shown.contains($0.key) }
    return missing.count * 5 > stored.count ? nil : missing
  }

  /// Returns the lower end of the range where a page is known to contain every post.
  ///
  /// A server whose ids do not increase with time (snac) orders posts by arrival, which may be long after they were written. The oldest
  /// tenth of a page may therefore have gaps.
  private func lowerBound(of page: Page) -> PostKey? {
    // A page from an incomplete timeline covers a smaller range than its posts.
    guard let oldest = page.entries.last, let stretch = page.stretch, stretch.lowerBound <= oldest.mark else {
      return nil
    }
    guard TimedPosition(oldest.key) != nil else { return stretch.lowerBound.key }
    return page.entries[(page.entries.count - 1) * 9 / 10].key
  }
}
