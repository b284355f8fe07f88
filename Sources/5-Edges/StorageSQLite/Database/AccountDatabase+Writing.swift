internal import Formats
package import Storage
internal import Time
package import Timeline

extension AccountDatabase {
  package func insert(
    _ write: PageWrite, expecting revision: Revision
  ) throws(StorageError) -> Written<StoredPage> {
    try insertUnlessRepeated(write, expecting: revision) { () throws(StorageError) in
      try store(write, expecting: revision)
    }
  }

  private func store(
    _ write: PageWrite, expecting revision: Revision
  ) throws(StorageError) -> Written<StoredPage> {
    let now = write.receivedAt
    let written = try self.write(expecting: revision) { () throws(StorageError) in
      let former = try state()
      let expired = write.retention.begin(at: now)
      let begin = [former.keepsFrom, expired].compactMap { $0 }.max()
      let number = write.timeline == .home ? nil : try newNumber(of: write.timeline)
      let known = try spans(of: write.timeline)
      var table = postTable()
      let page: Page
      var new: [KnownPost] = []
      if let number {
        page = try table.placed(
          write.page.kept(since: former.keepsFrom, begin), in: write.timeline, number, as: write.place, known,
          PostTable.MarkLimits(newest: write.retention.newest, expires: expired != nil))
        // A mark below the known ones is on the newest page because one of these was removed.
        let bottom = write.place == .head && !page.hasEvents ? known.bottom?.oldest.key : nil
        for entry in page.entries {
          guard let post = try table.store(entry, in: number, at: now) else { continue }
          if !entry.isMarked || bottom.map({ entry.key > $0 }) ?? true { new.append(post) }
        }
      } else {
        page = try table.placed(
          begin.map { write.page.published(since: $0) } ?? write.page,
          below: PostTable.end(of: known, above: write.place))
        for entry in page.entries { if let post = try table.store(entry, at: now) { new.append(post) } }
      }
      if try table.rareRows().deletionChecks { try clearDeletionChecks(of: page) }
      for mark in page.deleted { _ = try table.leaveTombstone(at: mark, at: now) }
      if !write.keepsFiltered {
        if let number { try table.showFiltered(in: number) } else { try table.showFiltered(at: now) }
      }
      var grown = known
      switch write.place {
      case .head: grown.insert(head: page)
      case .continuing(let cursor): grown.insert(page, continuing: cursor)
      case .single: break
      }
      if grown != known { try replaceSpans(known, by: grown, of: write.timeline) }
      if let walked = write.walked, let number {
        try removeUnmarked(walked, besides: page, of: write.timeline, number, &table)
      }
      if let number {
        try prune(write.retention, of: write.timeline, number, &table, at: now)
      } else {
        try prune(write.retention, &table, at: now)
      }
      try table.close()
      if let settlement = write.settlement { try self.write(settlement) }
      let changes = try table.changesByTimeline()
      let isQuiet = write.settlement == nil && grown == known && changes.isEmpty
      let isDeferred =
        write.defersQuietState && isQuiet && write.state.map { $0.differsOnlyInRefreshing(from: former) } ?? false
      if !isDeferred { try replace(former, by: write.state) }
      return (StoredPage(new: new, isStateDeferred: isDeferred), changes)
    }
    notify(written.value.1)
    return Written(written.value.0, written.revision)
  }

  package func write(_ state: AccountState, expecting revision: Revision) throws(StorageError) -> Revision {
    try write(expecting: revision) { () throws(StorageError) in try replace(try self.state(), by: state) }.revision
  }

  /// Writes only the rows that differ. Usually, only one of many spans has changed.
  func replaceSpans(_ known: Spans, by spans: Spans, of timeline: TimelineName) throws(StorageError) {
    if timeline != .home {
      return try replaceSpans(known, by: spans, ofNumber: newNumber(of: timeline))
    }
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

  private func replaceSpans(_ known: Spans, by spans: Spans, ofNumber number: Int64) throws(StorageError) {
    let (staying, before) = (Set(spans.all), Set(known.all))
    for span in known.all where !staying.contains(span) {
      try connection.run(
        "DELETE FROM other_spans WHERE timeline = ? AND newest_key = ?",
        [.integer(number), .text(span.newest.key.text)])
    }
    for span in spans.all where !before.contains(span) {
      try connection.run(
        "INSERT OR REPLACE INTO other_spans VALUES (?, ?, ?, ?, ?, ?)",
        [
          .integer(number), .text(span.newest.key.text), .text(span.newest.id.text), .text(span.oldest.key.text),
          .text(span.oldest.id.text), SQLiteValue(span.older?.text),
        ])
    }
  }

  /// Writes a new state.
  /// - Parameter new: `nil` to leave it unchanged.
  func replace(_ former: AccountState, by new: AccountState?) throws(StorageError) {
    guard let new, new != former else { return }
    // An account without other timelines has no other difference.
    if new.withoutOthers != former.withoutOthers { try connection.run(AccountState.update, new.values) }
    for timeline in new.otherTimelines.union(former.otherTimelines) where new[timeline] != former[timeline] {
      try write(new[timeline], of: timeline)
    }
    if hasOthers, new.kindRateLimits != former.kindRateLimits { try write(kindLimits: new.kindRateLimits) }
  }
}

extension AccountDatabase {
  package func postsAbove(
    of timeline: TimelineName, in pages: [UnstoredPage]
  ) throws(StorageError) -> [KnownPost] {
    guard !pages.isEmpty else { return [] }
    let top = try newestPosts(1, of: timeline).first?.mark.key
    let begin = try state().keepsFrom
    let number = timeline == .home ? nil : try number(of: timeline)
    var table = postTable()
    var posts: [PostKey: KnownPost] = [:]
    for page in pages {
      for entry in page.page.entries {
        if let top, entry.key <= top { continue }
        if let begin, entry.post.enteredAt < begin { continue }
        if entry.post.isHidden { continue }
        if let number {
          guard try !table.hasEntry(at: entry.key, in: number) else { continue }
        } else if timeline == .home {
          guard try table.storedPost(at: entry.key) == nil else { continue }
        }
        posts[entry.key] = try table.preview(of: entry.kept(since: begin))
      }
    }
    return posts.values.sorted { $0.mark > $1.mark }
  }

  /// Returns the spans of a timeline, including those of its pages that are not stored yet.
  func spans(of timeline: TimelineName, with pages: [UnstoredPage]) throws(StorageError) -> Spans {
    var spans = try spans(of: timeline)
    for page in pages {
      switch page.place {
      case .head: spans.insert(head: page.page)
      case .continuing(let cursor): spans.insert(page.page, continuing: cursor)
      case .single: break
      }
    }
    return spans
  }
}

/// The states of timelines other than home, and the rate limits of kinds of timelines.
extension AccountDatabase {
  /// Writes the state of a timeline other than home. Call this within a transaction.
  func write(_ state: TimelineState, of timeline: TimelineName) throws(StorageError) {
    let number = try newNumber(of: timeline)
    try connection.run(TimelineState.update, state.values + [.integer(number)])
  }

  /// Writes the rate limits of the kinds of timelines. Call this within a transaction, once a timeline other than home exists.
  func write(kindLimits limits: [TimelineName.Kind: RateLimit]) throws(StorageError) {
    try connection.run("DELETE FROM kind_limits")
    for (kind, limit) in limits {
      try connection.run(
        "INSERT INTO kind_limits (kind, rate_limit, rate_remaining, rate_reset) VALUES (?, ?, ?, ?)",
        [
          .text(kind.rawValue), SQLiteValue(limit.limit.map(Int64.init)), .integer(Int64(limit.remaining)),
          .integer(limit.reset.milliseconds),
        ])
    }
  }
}
