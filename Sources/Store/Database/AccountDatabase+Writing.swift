package import CivilTime
internal import Publish
package import Timeline

extension AccountDatabase {
  /// Keeps a page: its posts, what is now known of the timeline, and the state, together or not at all.
  ///
  /// A post seen again is kept as it is now, and what it said before beside it. The same page once more changes nothing.
  /// - Parameters:
  ///   - settlement: what the answer has cost, where that is counted.
  ///   - retention: what is let go of with it.
  ///   - change: what the answer means for the state.
  ///   - keepsState: asked where the page changes nothing, and the state only in the times of refreshes: whether the caller keeps that state
  ///     and has it stored with a later change. Then nothing is written.
  /// - Returns: the posts that were not known before, newest first.
  @discardableResult
  package func insert(
    _ page: Page, as place: PagePlace, at now: Timestamp, settling settlement: Settlement? = nil,
    keeping retention: Retention = Retention(), state change: (inout AccountState) -> Void = { _ in },
    keepsState: (AccountState) -> Bool = { _ in false }
  ) throws(SQLiteError) -> [KnownPost] {
    let (new, changes) = try connection.transaction { () throws(SQLiteError) in
      let begin = [try state().keepsFrom, retention.begin(at: now)].compactMap { $0 }.max()
      let known = try spans()
      var shelf = PostShelf(connection)
      var bound: PostKey?
      if case .continuing(let cursor) = place { bound = known.all.first { $0.older == cursor }?.oldest.key }
      let page = try shelf.placed(begin.map { page.from($0) } ?? page, below: bound)
      var new: [KnownPost] = []
      for entry in page.entries { if let post = try shelf.take(entry, at: now) { new.append(post) } }
      try clearDeletionChecks(of: page)
      for mark in page.deleted { _ = try shelf.bury(at: mark, at: now) }
      var grown = known
      switch place {
      case .head: grown.insert(head: page)
      case .continuing(let cursor): grown.insert(page, continuing: cursor)
      }
      if grown != known { try replaceSpans(known, by: grown) }
      try prune(retention, &shelf, at: now)
      try shelf.close()
      if let settlement { try write(settlement) }
      let isQuiet = settlement == nil && grown == known && shelf.changes.isEmpty
      try changeState(unless: { isQuiet && $0.differsOnlyInRefreshing(from: $1) && keepsState($0) }, change)
      return (new, shelf.changes)
    }
    observer?.postsChanged(changes)
    return new
  }

  /// Changes the state.
  package func update(_ change: (inout AccountState) -> Void) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in try changeState(change) }
  }

  /// Only the rows that differ: of the gaps of years one changes at a time.
  func replaceSpans(_ known: Spans, by spans: Spans) throws(SQLiteError) {
    let staying = Set(spans.all)
    for span in known.all where !staying.contains(span) {
      try connection.run("DELETE FROM spans WHERE newest_key = ?", [.text(span.newest.key.text)])
    }
    let before = Set(known.all)
    for span in spans.all where !before.contains(span) {
      try connection.run(
        "INSERT OR REPLACE INTO spans (newest_key, newest_id, oldest_key, oldest_id, older_cursor) VALUES (?, ?, ?, ?, ?)",
        [
          .text(span.newest.key.text), .text(span.newest.id.text), .text(span.oldest.key.text),
          .text(span.oldest.id.text), SQLiteValue(span.older?.text),
        ])
    }
  }

  /// - Parameter isKept: asked with the changed state and the stored one: whether it is not to be stored.
  func changeState(
    unless isKept: (AccountState, AccountState) -> Bool = { _, _ in false }, _ change: (inout AccountState) -> Void
  ) throws(SQLiteError) {
    let known = try state()
    var changed = known
    change(&changed)
    guard changed != known, !isKept(changed, known) else { return }
    try connection.run(AccountState.update, changed.values)
  }
}

extension Page {
  /// The page without what was published before a moment. Where something was, nothing below is asked for any more.
  fileprivate func from(_ begin: Timestamp) -> Page {
    let kept = entries.filter { $0.post.createdAt >= begin }
    if kept.count == entries.count { return self }
    return Page(entries: kept, older: nil, reaches: reaches, stretch: stretch, deleted: deleted)
  }
}

/// What a page was asked for as.
package enum PagePlace: Sendable, Hashable {
  /// The newest posts.
  case head
  /// What lies below a span: the cursor that this span had.
  case continuing(PageCursor)
}

/// A page that a provider has answered and that the database has not taken, because its disk is full or another process keeps it locked:
/// kept in memory until it does.
package struct UnstoredPage: Sendable {
  package let page: Page
  package let place: PagePlace
  package let receivedAt: Timestamp
  /// What the answer has cost, where that is counted.
  package let settlement: Settlement?
  /// The entity tag of the newest page; `nil` for a page below it.
  package let entityTag: String?
  /// Whether it is the newest page.
  package let isNewest: Bool

  package init(
    _ page: Page, as place: PagePlace, receivedAt: Timestamp, settling settlement: Settlement?, entityTag: String?,
    isNewest: Bool
  ) {
    self.page = page
    self.place = place
    self.receivedAt = receivedAt
    self.settlement = settlement
    self.entityTag = entityTag
    self.isNewest = isNewest
  }
}

extension AccountDatabase {
  /// The posts of pages that are not stored which stand above all stored ones, newest first, as they would be published.
  package func postsAbove(in pages: [UnstoredPage]) throws(SQLiteError) -> [KnownPost] {
    guard !pages.isEmpty else { return [] }
    let top = try newestPosts(1).first?.mark.key
    let begin = try state().keepsFrom
    var shelf = PostShelf(connection)
    var posts: [PostKey: KnownPost] = [:]
    for page in pages {
      for entry in page.page.entries {
        if let top, entry.key <= top { continue }
        if let begin, entry.post.createdAt < begin { continue }
        guard try shelf.kept(at: entry.key) == nil else { continue }
        posts[entry.key] = try shelf.preview(of: entry)
      }
    }
    return posts.values.sorted { $0.mark > $1.mark }
  }

  /// What is known of the timeline with pages that are not stored.
  func spans(with pages: [UnstoredPage]) throws(SQLiteError) -> Spans {
    var spans = try spans()
    for page in pages {
      switch page.place {
      case .head: spans.insert(head: page.page)
      case .continuing(let cursor): spans.insert(page.page, continuing: cursor)
      }
    }
    return spans
  }
}
