internal import Formats
internal import Storage
internal import Time
internal import Timeline

/// The entries of timelines other than home, and the posts that they have in common with home. A post that home does not contain is stored
/// without the effect of a filter, because each timeline has its own filters.
extension PostTable {
  // MARK: Finding

  /// Returns the post at a position that home does not contain.
  func outsidePost(at key: PostKey) throws(StorageError) -> StoredPost? {
    try connection.first(
      "SELECT \(Self.columns) FROM posts WHERE key = ?", [.text(StoredKey.text(key, isInHome: false))]
    ) { Self.storedPost($0) }
  }

  /// Returns the post at a position among all posts.
  func storedPost(anywhereAt key: PostKey) throws(StorageError) -> StoredPost? {
    if let stored = try storedPost(at: key) { return stored }
    return hasOthers ? try outsidePost(at: key) : nil
  }

  /// Returns the stored post of an entry, whichever timeline it came from.
  func storedPost(of entry: Page.Entry) throws(StorageError) -> StoredPost? {
    if let stored = try storedPost(anywhereAt: entry.postKey) { return stored }
    // The key of a post whose id is not ordered contains a rank, which depends on its neighbours.
    if TimedPosition(entry.postKey) != nil {
      let byID = try connection.first(
        "SELECT \(Self.columns) FROM posts WHERE id = ? ORDER BY key DESC LIMIT 1", [.text(entry.post.id.text)]
      ) { Self.storedPost($0) }
      if let byID { return byID }
    }
    return try former(of: entry)
  }

  func hasEntry(at key: PostKey, in timeline: Int64) throws(StorageError) -> Bool {
    try connection.first(
      "SELECT 1 FROM entries WHERE timeline = ? AND key = ?", [.integer(timeline), .text(key.text)]
    ) { _ in true } ?? false
  }

  func hasEntry(ofRow row: Int64, in timeline: Int64) throws(StorageError) -> Bool {
    try connection.first(
      "SELECT 1 FROM entries WHERE row = ? AND timeline = ? LIMIT 1", [.integer(row), .integer(timeline)]
    ) { _ in true } ?? false
  }

  // MARK: Places

  /// Returns the page with each entry at its stored position.
  /// - Parameters:
  ///   - known: the timeline's spans before the page is stored.
  ///   - limits: what the archive keeps.
  func placed(
    _ page: Page, in timeline: TimelineName, _ number: Int64, as place: PagePosition, _ known: Spans,
    _ limits: MarkLimits
  ) throws(StorageError) -> Page {
    // The key of an event is its own, and several events can be about one post.
    if page.hasEvents { return page }
    switch timeline.kind {
    case .bookmarks, .likes:
      guard page.entries.contains(where: \.isMarked) else { return page }
      return try placedByMark(page, in: number, as: place, known, limits)
    case .home, .notifications, .mentions, .list, .tag, .user:
      return try placed(page, below: Self.end(of: known, above: place))
    }
  }

  // MARK: Storing

  /// Stores an entry from a page, and its post. An event is stored without its post if the post was purged.
  /// - Returns: the post in its published form if the entry is new and no filter hides it.
  mutating func store(
    _ entry: Page.Entry, in number: Int64, at now: Timestamp
  ) throws(StorageError) -> KnownPost? {
    if entry.post.notice != nil, try isErased(at: entry.key, in: number) { return nil }
    let entry = try withoutPurgedQuote(entry)
    let row = entry.post.isEventOnly ? nil : try storePost(of: entry, at: now)
    if row == nil, entry.post.notice == nil { return nil }
    var wasMoved = false
    if let row, entry.isMarked, entry.post.notice == nil {
      wasMoved = try removeOtherPlace(of: row, than: entry.key, in: number)
    }
    let isNew = try write(entry, ofRow: row, in: number, at: now)
    return isNew && !wasMoved ? try shownPost(at: entry.key, in: number) : nil
  }

  /// Stores the post of an entry, unless it is stored. A post that was purged is not stored again.
  /// - Returns: its row; `nil` if it was purged.
  private mutating func storePost(of entry: Page.Entry, at now: Timestamp) throws(StorageError) -> Int64? {
    let plain = entry.post.withoutNotice.unfiltered
    guard let stored = try storedPost(of: entry) else {
      // Home may have removed the tombstone since.
      if try isPurged(plain.id) { return nil }
      return try insert(
        plain, PostJSON.bytes(plain), key: entry.postKey, isInHome: false, source: entry.source, at: now)
    }
    if let json = stored.json {
      if json == PostJSON.bytes(plain) { return stored.row }
      let written = WrittenPost(plain.filtered(by: stored.post?.filter))
      try update(stored, json, with: written, entry.source, at: now)
    } else {
      let filter = stored.isFiltered ? try hiddenPost(ofRow: stored.row)?.post?.filter : nil
      try restore(stored, with: WrittenPost(plain.filtered(by: filter)), entry.source, at: now)
    }
    return stored.row
  }

  /// Writes the entry, unless it is stored. A stored event stays as it is, because an event does not change, and a purge may have removed
  /// parts of it. It keeps its post if the server no longer sends the post.
  /// - Returns: whether it was added.
  private mutating func write(
    _ entry: Page.Entry, ofRow row: Int64?, in number: Int64, at now: Timestamp
  ) throws(StorageError) -> Bool {
    let filter = entry.post.filter
    let stored = try connection.first(
      "SELECT row, filter_action, filter_title FROM entries WHERE timeline = ? AND key = ?",
      [.integer(number), .text(entry.key.text)]
    ) { (row: $0.isNull(0) ? nil : $0.rowID(0), filter: ServerFilter($0, from: 1)) }
    guard let stored else {
      try addEntry(
        NewEntry(key: entry.key, row: row, time: entry.time(seenAt: now), filter: filter, notice: entry.post.notice),
        to: number)
      return true
    }
    guard let row, stored.row != row || stored.filter != filter else { return false }
    let wasShown = try shownPost(at: entry.key, in: number) != nil
    try connection.run(
      "UPDATE entries SET row = ?, filter_action = ?, filter_title = ? WHERE timeline = ? AND key = ?",
      [
        .integer(row), SQLiteValue(filter?.action.rawValue), SQLiteValue(filter?.title), .integer(number),
        .text(entry.key.text),
      ])
    let isShown = try shownPost(at: entry.key, in: number) != nil
    if wasShown || isShown { note(entry.key, added: (isShown ? 1 : 0) - (wasShown ? 1 : 0), in: number) }
    return false
  }

  private struct NewEntry {
    let key: PostKey
    /// The row of the post; `nil` for an event without one.
    let row: Int64?
    /// The time that the entry's age is counted from.
    let time: Timestamp
    let filter: ServerFilter?
    let notice: Notice?
  }

  private mutating func addEntry(_ entry: NewEntry, to number: Int64) throws(StorageError) {
    try connection.run(
      """
      INSERT INTO entries (timeline, key, row, id, at, filter_action, filter_title, notice) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(number), .text(entry.key.text), SQLiteValue(entry.row), SQLiteValue(entry.notice?.id.text),
        .integer(entry.time.milliseconds), SQLiteValue(entry.filter?.action.rawValue), SQLiteValue(entry.filter?.title),
        entry.notice.map { .utf8(PostJSON.bytes(of: $0)[...]) } ?? .null,
      ])
    if try shownPost(at: entry.key, in: number) != nil { note(entry.key, added: 1, in: number) }
  }

  /// Removes an entry of the same post at another position, because the user has marked the post again.
  private mutating func removeOtherPlace(
    of row: Int64, than key: PostKey, in number: Int64
  ) throws(StorageError) -> Bool {
    let others = try connection.all(
      "SELECT key FROM entries WHERE row = ? AND timeline = ? AND key <> ?",
      [.integer(row), .integer(number), .text(key.text)]
    ) { PostKey($0.text(0)) }
    for other in others {
      if try shownPost(at: other, in: number) != nil { note(other, added: -1, in: number) }
      try connection.run(
        "DELETE FROM entries WHERE timeline = ? AND key = ?", [.integer(number), .text(other.text)])
    }
    return !others.isEmpty
  }

  /// Returns the post that the timeline shows at a position.
  private func shownPost(at key: PostKey, in number: Int64) throws(StorageError) -> KnownPost? {
    let rows = TimelineRows(number: number)
    return try connection.first(rows.selectPost, rows.values + [.text(key.text)]) {
      KnownPost(mark: PostPosition(id: PostID($0.text(1)), key: key), json: rows.json($0))
    }
  }

  /// Shows the posts that the user's filters hide in a timeline, because the user has turned the filters off.
  mutating func showFiltered(in number: Int64) throws(StorageError) {
    let filtered = try connection.all(
      """
      SELECT key, filter_action = 'hide' AND (notice <> '\(Notice.erased)' OR EXISTS (
        SELECT 1 FROM posts WHERE posts.row = entries.row AND deleted_at IS NULL))
      FROM entries WHERE timeline = ? AND filter_action IS NOT NULL
      """, [.integer(number)]
    ) { (key: PostKey($0.text(0)), isAdded: $0.flag(1)) }
    guard !filtered.isEmpty else { return }
    for entry in filtered { note(entry.key, added: entry.isAdded ? 1 : 0, in: number) }
    try connection.run(
      "UPDATE entries SET filter_action = NULL, filter_title = NULL WHERE timeline = ?", [.integer(number)])
  }

  /// Imports a post into the timelines that it names.
  /// - Parameter numbers: the numbers of the timelines other than home.
  /// - Returns: whether the post was added to the archive or to a timeline.
  mutating func importPost(
    _ imported: ImportedPost, into numbers: [TimelineName: Int64], seenAt: Timestamp? = nil, at now: Timestamp
  ) throws(StorageError) -> Bool {
    var isNew = false
    for timeline in imported.timelines {
      guard let number = numbers[timeline.name] else {
        if timeline.name == .home, try importPost(imported, seenAt: seenAt, at: now) { isNew = true }
        continue
      }
      let key = timeline.key ?? imported.key
      if try hasEntry(at: key, in: number) { continue }
      let row: Int64?
      if imported.post?.isEventOnly == true {
        row = nil
      } else if let stored = try storedPost(anywhereAt: imported.key) {
        row = stored.row
      } else {
        row = try insert(imported, isInHome: false, seenAt: seenAt, at: now)
      }
      // A mark's own time is not exported. It is part of the key, if the timeline is ordered by marks.
      let marked = timeline.key.flatMap { TimedPosition($0) }.map { Timestamp(milliseconds: $0.milliseconds) }
      try addEntry(
        NewEntry(
          key: key, row: row, time: timeline.notice?.at ?? marked ?? imported.createdAt, filter: nil,
          notice: timeline.notice), to: number)
      isNew = true
    }
    return isNew
  }

  // MARK: Home

  /// Moves a post into the home timeline, with home's version of it.
  /// - Returns: the post in its published form if home shows it.
  mutating func bringHome(
    _ outside: StoredPost, as entry: Page.Entry, _ written: WrittenPost, at now: Timestamp
  ) throws(StorageError) -> KnownPost? {
    let stored = try bringHome(outside)
    if let json = stored.json {
      try update(stored, json, with: written, entry.source, at: now)
    } else {
      try restore(stored, with: written, entry.source, at: now)
    }
    return try storedPost(at: stored.key).flatMap { stored in
      stored.json.map { KnownPost(mark: PostPosition(id: stored.id, key: stored.key), json: $0) }
    }
  }

  /// Moves a post into the home timeline.
  mutating func bringHome(_ outside: StoredPost) throws(StorageError) -> StoredPost {
    var stored = outside
    stored.isInHome = true
    try connection.run("UPDATE posts SET key = ? WHERE row = ?", [.text(stored.key.text), .integer(stored.row)])
    if stored.json != nil { noteAddedToHome(stored) }
    return stored
  }

  /// Removes a post from the home timeline. If another timeline has an entry of it, the post stays in the archive.
  mutating func removeFromHome(_ stored: StoredPost, isOldest: Bool = false) throws(StorageError) {
    guard hasOthers, try hasEntries(stored.row) else { return try remove(stored, isOldest: isOldest) }
    if stored.json != nil { noteRemovedFromHome(stored, isOldest: isOldest) }
    try connection.run(
      "UPDATE posts SET key = ? WHERE row = ?",
      [.text(StoredKey.text(stored.key, isInHome: false)), .integer(stored.row)])
    var outside = stored
    outside.isInHome = false
    // Home's filters no longer matter.
    if outside.isFiltered, let hidden = try hiddenPost(ofRow: stored.row) {
      try show(hidden, at: stored.createdAt)
      outside = try outsidePost(at: stored.key) ?? outside
    }
    guard let json = outside.json, let post = outside.post, post.filter != nil else { return }
    try update(outside, json, with: WrittenPost(post.unfiltered), [], at: post.editedAt ?? stored.createdAt)
  }

  private func hasEntries(_ row: Int64) throws(StorageError) -> Bool {
    try connection.first("SELECT 1 FROM entries WHERE row = ? LIMIT 1", [.integer(row)]) { _ in true } ?? false
  }

  // MARK: Removing

  /// An entry to remove.
  struct StoredEntry {
    let key: PostKey
    let row: Int64?
    let isShown: Bool
  }

  func key(ofNewest count: Int, in number: Int64) throws(StorageError) -> String? {
    try connection.first(
      "SELECT key FROM entries WHERE timeline = ? ORDER BY key DESC LIMIT 1 OFFSET ?",
      [.integer(number), .integer(Int64(max(count, 1) - 1))]
    ) { $0.text(0) }
  }

  private static let selectEntries = """
    SELECT entries.key, entries.row, filter_action IS NOT 'hide' AND (
      notice <> '\(Notice.erased)' OR notice IS NULL AND posts.row IS NOT NULL AND deleted_at IS NULL), posts.id
    """

  /// Returns the entries of posts from a key on, newest first, with the ids of the posts.
  func entriesOfPosts(from key: PostKey, in number: Int64) throws(StorageError) -> [(entry: StoredEntry, id: PostID)] {
    try connection.all(
      """
      \(Self.selectEntries) FROM entries JOIN posts ON posts.row = entries.row
      WHERE timeline = ? AND entries.key >= ? ORDER BY entries.key DESC
      """, [.integer(number), .text(key.text)]
    ) { (StoredEntry(key: PostKey($0.text(0)), row: $0.rowID(1), isShown: $0.flag(2)), PostID($0.text(3))) }
  }

  func oldestEntries(
    _ condition: String, _ value: SQLiteValue, order: String, _ count: Int, in number: Int64
  ) throws(StorageError) -> [StoredEntry] {
    try connection.all(
      """
      \(Self.selectEntries)
      FROM entries LEFT JOIN posts ON posts.row = entries.row
      WHERE timeline = ? AND \(condition) ORDER BY entries.\(order) LIMIT \(count)
      """, [.integer(number), value]
    ) { StoredEntry(key: PostKey($0.text(0)), row: $0.isNull(1) ? nil : $0.rowID(1), isShown: $0.flag(2)) }
  }

  /// Removes an entry, and its post if no other timeline contains the post.
  mutating func remove(_ entry: StoredEntry, from number: Int64, isOldest: Bool = false) throws(StorageError) {
    try connection.run(
      "DELETE FROM entries WHERE timeline = ? AND key = ?", [.integer(number), .text(entry.key.text)])
    if entry.isShown {
      if isOldest {
        otherChanges[number, default: PostChanges()].noteEnd(entry.key)
      } else {
        note(entry.key, added: -1, in: number)
      }
    }
    if let row = entry.row { try removeUnlessShown(row) }
  }

  /// Removes a post unless a timeline contains it.
  mutating func removeUnlessShown(_ row: Int64) throws(StorageError) {
    if try hasEntries(row) { return }
    if let stored = try storedPost(row: row), !stored.isInHome { try remove(stored) }
  }

  // MARK: Changes

  mutating func note(_ key: PostKey, added: Int, in number: Int64) {
    otherChanges[number, default: PostChanges()].note(key, added: added)
  }

  /// Records that a post changed, appeared or disappeared in the timelines other than home that do not hide it. An event about the post stays.
  mutating func noteOthers(_ row: Int64, added: Int) throws(StorageError) {
    guard hasOthers else { return }
    let entries = try connection.all(
      "SELECT timeline, key, notice IS NOT NULL FROM entries WHERE row = ? AND filter_action IS NOT 'hide'",
      [.integer(row)]
    ) { (timeline: $0.rowID(0), key: PostKey($0.text(1)), isEvent: $0.flag(2)) }
    for entry in entries { note(entry.key, added: entry.isEvent ? 0 : added, in: entry.timeline) }
  }

  /// Returns the changes of each timeline that has any.
  func changesByTimeline() throws(StorageError) -> [TimelineName: PostChanges] {
    var all: [TimelineName: PostChanges] = changes.isEmpty ? [:] : [.home: changes]
    guard !otherChanges.isEmpty else { return all }
    let names = try OtherTimelineTables.names(in: connection)
    for (number, changes) in otherChanges { if let name = names[number] { all[name] = changes } }
    return all
  }

  /// Stores a post from a corrupt database with its entries, unless it is stored.
  /// - Parameter numbers: the numbers of the timelines in this database.
  /// - Returns: whether the post was added.
  mutating func restore(
    _ post: ImportedPost, isInHome: Bool, _ entries: [DamagedEntries.Entry], _ numbers: [TimelineName: Int64],
    seenAt: Timestamp?
  ) throws(StorageError) -> Bool {
    let stored = try storedPost(anywhereAt: post.key)
    let row: Int64
    if let stored {
      row = stored.row
    } else {
      row = try insert(post, isInHome: isInHome, seenAt: seenAt, at: post.createdAt)
    }
    for entry in entries {
      if let number = numbers[entry.timeline] { try entry.insert(into: connection, row: row, number: number) }
    }
    return stored == nil
  }
}
