package import CivilTime
internal import SQLite
package import Storage
package import Timeline

/// Posts that their server may have deleted: which ones are missing from a newest page, and what the server says when it is asked for
/// them one by one.
extension AccountDatabase {
  /// When a post is asked for.
  package enum DeletionChecks {
    /// How many posts are asked for after one page.
    static let perPage = 5
    /// How long after the first answer that a post is gone the second one counts, and how long after an answer that says nothing the
    /// post is asked for again.
    static let pause = Duration.seconds(3600)
    /// How long a post is not asked for that the server still has, although its timeline does not show it: the user may have
    /// unfollowed its author.
    static let pauseOfPresent = Duration.seconds(86_400)
  }

  /// The posts to ask the server for, now that the newest page has been read without a lower bound and stored: those that are missing
  /// from it, and those that the server has already called gone once. None at all where more than 20 % of what should be on the page are
  /// missing: an unfollow, a block or a rebuilt timeline looks the same.
  /// - Returns: at most ``DeletionChecks/perPage``, the ones that were called gone first.
  package func postsToCheck(
    missingFrom page: Page, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<[PostPosition]> {
    try write(expecting: revision) { () throws(StorageError) in
      try connection.run(
        "DELETE FROM deletion_checks WHERE gone_at IS NULL AND NOT \(Self.isWaiting)", [.integer(now.milliseconds)])
      guard let missing = try posts(missingFrom: page) else { return [] }
      let doubted = try connection.all(
        """
        SELECT key, id FROM posts JOIN deletion_checks USING (row)
        WHERE gone_at IS NOT NULL AND NOT \(Self.isWaiting) AND post IS NOT NULL ORDER BY gone_at LIMIT ?2
        """, [.integer(now.milliseconds), .integer(Int64(DeletionChecks.perPage))]
      ) { Self.mark($0) }
      var chosen = doubted
      for mark in missing where chosen.count < DeletionChecks.perPage {
        let isNoted = try connection.first(
          "SELECT 1 FROM posts JOIN deletion_checks USING (row) WHERE key = ?", [.text(mark.key.text)], { _ in true })
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
      var table = PostTable(connection)
      var isHidden = false
      if let kept = try table.kept(at: mark.key), kept.json != nil {
        let goneAt = try connection.first("SELECT gone_at FROM deletion_checks WHERE row = ?", [.integer(kept.row)]) {
          $0.integerOrNull(0).map { Timestamp(milliseconds: $0) }
        }
        // A moment to come is of a clock that was wrong.
        let first = (goneAt ?? nil).flatMap { $0 <= now ? $0 : nil }
        switch presence {
        case .present: try set(nil, pause: DeletionChecks.pauseOfPresent, of: kept.row, at: now)
        case .unknown: try set(first, pause: DeletionChecks.pause, of: kept.row, at: now)
        case .gone:
          isHidden = first.map { now - $0 >= DeletionChecks.pause } ?? false
          if isHidden {
            try connection.run("DELETE FROM deletion_checks WHERE row = ?", [.integer(kept.row)])
            try table.hide(kept, at: now)
            try table.eraseHidden(upTo: retention.endOfHidden(at: now))
          } else {
            try set(first ?? now, pause: DeletionChecks.pause, of: kept.row, at: now)
          }
        }
      }
      try table.close()
      try replace(self.state(), by: state)
      return (isHidden, table.changes)
    }
    observer?.postsChanged(written.value.1)
    return Written(written.value.0, written.revision)
  }

  /// Forgets what was noted of posts that a page shows. To be called within a transaction.
  func clearDeletionChecks(of page: Page) throws(StorageError) {
    guard try connection.first("SELECT 1 FROM deletion_checks LIMIT 1", [], { _ in true }) != nil else { return }
    for entry in page.entries {
      try connection.run(
        "DELETE FROM deletion_checks WHERE row = (SELECT row FROM posts WHERE key = ?)", [.text(entry.key.text)])
    }
  }

  /// Whether it is too early to ask, ?1 being now. A moment further ahead than any pause is of a clock that was wrong.
  private static let isWaiting =
    "(again_at > ?1 AND again_at <= ?1 + \(DeletionChecks.pauseOfPresent / .milliseconds(1)))"

  private static func mark(_ row: borrowing SQLiteRow) -> PostPosition {
    PostPosition(id: PostID(row.text(1)), key: PostKey(row.text(0)))
  }

  private func set(_ goneAt: Timestamp?, pause: Duration, of row: Int64, at now: Timestamp) throws(StorageError) {
    try connection.run(
      "INSERT OR REPLACE INTO deletion_checks (row, gone_at, again_at) VALUES (?, ?, ?)",
      [.integer(row), SQLiteValue(goneAt?.milliseconds), .integer((now + pause).milliseconds)])
  }

  /// The stored posts from the oldest of a newest page on which the page does not show, newest first; what is above its newest post
  /// is missing from it too, since it was read without a bound.
  /// - Returns: `nil` where the page says nothing of them: more than 20 % of the posts are missing, or the page does not claim to be whole.
  private func posts(missingFrom page: Page) throws(StorageError) -> [PostPosition]? {
    let placed = try PostTable(connection).placed(page, below: nil)
    guard let bound = lowerBound(of: placed) else { return nil }
    let shown = Set(placed.entries.map(\.key))
    // Twice as many as are shown are too many for any answer, however many more there are.
    let stored = try connection.all(
      "SELECT key, id FROM posts WHERE key >= ? AND post IS NOT NULL ORDER BY key DESC LIMIT ?",
      [.text(bound.text), .integer(Int64(2 * shown.count + 1))]
    ) { Self.mark($0) }
    let missing = stored.filter { !shown.contains($0.key) }
    return missing.count * 5 > stored.count ? nil : missing
  }

  /// From where on a page shows all posts.
  ///
  /// A server whose ids do not grow (snac) shows posts in the order in which they arrived, which may be long after they were written. There
  /// the oldest tenth of a page, by time, says nothing of what lies between.
  private func lowerBound(of page: Page) -> PostKey? {
    // A page of a timeline that is not whole yet claims less than it shows.
    guard let oldest = page.entries.last, let stretch = page.stretch, stretch.lowerBound <= oldest.mark else {
      return nil
    }
    guard TimedPosition(oldest.key) != nil else { return stretch.lowerBound.key }
    return page.entries[(page.entries.count - 1) * 9 / 10].key
  }
}
