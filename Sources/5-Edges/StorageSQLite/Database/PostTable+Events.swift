internal import Storage
internal import Time
internal import Timeline

/// The events of notifications. An event is part of its entry. Its post is stored like any other; an event without a post has only its entry.
extension PostTable {
  /// A stored event.
  struct StoredEvent {
    let timeline: Int64
    let key: PostKey
    let row: Int64?
    let notice: Notice
  }

  private func events(_ condition: String, _ values: [SQLiteValue]) throws(StorageError) -> [StoredEvent] {
    guard hasOthers else { return [] }
    return try connection.all(
      """
      SELECT timeline, key, row, notice FROM entries WHERE notice IS NOT NULL AND notice <> '\(Notice.erased)' AND \(condition)
      """, values
    ) { row in
      Notice(stored: row.bytes(3)).map {
        StoredEvent(
          timeline: row.rowID(0), key: PostKey(row.text(1)), row: row.isNull(2) ? nil : row.rowID(2), notice: $0)
      }
    }.compactMap { $0 }
  }

  /// Returns whether the event at a position was erased.
  func isErased(at key: PostKey, in number: Int64) throws(StorageError) -> Bool {
    try connection.first(
      "SELECT 1 FROM entries WHERE timeline = ? AND key = ? AND notice = '\(Notice.erased)'",
      [.integer(number), .text(key.text)]
    ) { _ in true } ?? false
  }

  /// Returns the entry, or its event alone if the post was purged or deleted.
  mutating func withoutPurgedPost(_ entry: Page.Entry) throws(StorageError) -> Page.Entry {
    guard !entry.post.isEventOnly, let event = entry.withoutPost else { return entry }
    if try isPurged(entry.post.id) { return event }
    return try storedPost(of: entry)?.isDeleted == true ? event : entry
  }

  /// Erases what the server has said about the events of a post whose text is erased, because it may quote the post.
  mutating func eraseTexts(ofEventsAbout row: Int64) throws(StorageError) {
    for event in try events("row = ?", [.integer(row)]) where event.notice.text != nil {
      try write(event.notice.withoutText, at: event)
    }
  }

  // MARK: Purging

  /// Returns the events that a purge removes: those that only the purged author caused, and those without a post.
  /// - Parameter authors: the ids of the users with the purged name.
  func events(of purge: Purge, by authors: Set<String>) throws(StorageError) -> [StoredEvent] {
    switch purge {
    case .post(let id): try events("row IS NULL AND id = ?", [.text(id.text)])
    case .author:
      try eventsNaming(purge).filter { event in event.notice.actors.allSatisfy { purge.isAuthor($0, of: authors) } }
    case .before(let moment): try events("row IS NULL AND at < ?", [.integer(moment.milliseconds)])
    case .everything: try events("row IS NULL", [])
    }
  }

  /// Returns the events that may name a purged author.
  private func eventsNaming(_ purge: Purge) throws(StorageError) -> [StoredEvent] {
    guard case .author(let name) = purge else { return [] }
    return try events(
      """
      CASE WHEN json_valid(notice) THEN EXISTS (
        SELECT 1 FROM json_each(notice, '$.actors') WHERE json_extract(value, '$.screen_name') = ?1 COLLATE NOCASE
        OR json_extract(value, '$.id') IN (SELECT id FROM authors WHERE screen_name = ?1)) END
      """, [.text(name)])
  }

  /// Removes the events of a purge. An event of several users loses only the purged one, and an event later than the end of a purge by time
  /// loses only its post.
  /// - Returns: the removed events.
  mutating func eraseEvents(of purge: Purge, by authors: Set<String>) throws(StorageError) -> [StoredEvent] {
    guard hasOthers else { return [] }
    let removed = try events(of: purge, by: authors)
    switch purge {
    case .post, .author:
      for event in removed { try erase(event, for: purge, by: authors) }
      for event in try eventsNaming(purge) {
        try write(event.notice.by(event.notice.actors.filter { !purge.isAuthor($0, of: authors) }), at: event)
      }
    case .before(let moment):
      let time = SQLiteValue.integer(moment.milliseconds)
      try connection.run("DELETE FROM entries WHERE row IS NULL AND at < ?", [time])
      let later = try events("at >= ? AND row IN (SELECT row FROM posts WHERE created_at < ?)", [time, time])
      for event in later {
        try connection.run(
          "UPDATE entries SET row = NULL WHERE timeline = ? AND key = ?",
          [.integer(event.timeline), .text(event.key.text)])
        if event.notice.text != nil { try write(event.notice.withoutText, at: event) }
      }
    case .everything: try connection.run("DELETE FROM entries WHERE row IS NULL")
    }
    return removed
  }

  /// Leaves an entry without content, so that the next page does not bring the event back. It keeps its post if the post is, or will be, a
  /// tombstone.
  private mutating func erase(
    _ event: StoredEvent, for purge: Purge, by authors: Set<String>
  ) throws(StorageError) {
    try connection.run(
      "UPDATE entries SET notice = '\(Notice.erased)' WHERE timeline = ? AND key = ?",
      [.integer(event.timeline), .text(event.key.text)])
    note(event.key, added: -1, in: event.timeline)
    guard let row = event.row, let post = try storedPost(row: row), !post.isDeleted,
      Self.part(of: post, matching: purge, by: authors) != .whole
    else { return }
    try connection.run(
      "UPDATE entries SET row = NULL WHERE timeline = ? AND key = ?",
      [.integer(event.timeline), .text(event.key.text)])
    try removeUnlessShown(row)
  }

  private mutating func write(_ notice: Notice, at event: StoredEvent) throws(StorageError) {
    try connection.run(
      "UPDATE entries SET notice = ? WHERE timeline = ? AND key = ?",
      [.utf8(PostJSON.bytes(of: notice)[...]), .integer(event.timeline), .text(event.key.text)])
    note(event.key, added: 0, in: event.timeline)
  }
}
