internal import Formats
internal import Storage
internal import Time
internal import Timeline

/// The rows of an archive's posts, with all data that belongs to each post: author, search text, edits. Use this within a transaction, and
/// call ``close()`` at its end to write the numbers of posts.
struct PostTable {
  /// A stored post or tombstone.
  struct StoredPost {
    let row: Int64
    let key: PostKey
    /// Whether the post is in the home timeline; if not, another timeline has an entry of it.
    var isInHome = true
    let id: PostID
    let createdAt: Timestamp
    /// The JSON; `nil` if the post was deleted or is filtered.
    let json: [UInt8]?
    let editedAt: Timestamp?
    let isDeleted: Bool
    /// Whether the user's filter hides the post. Its content is in the `hidden` table.
    var isFiltered: Bool { json == nil && !isDeleted }
    private var parsed: Post?
    /// The parsed post; `nil` if it has no JSON or cannot be read.
    var post: Post? { parsed ?? json.flatMap { try? PostJSON.read($0) } }

    init(
      row: Int64, storedKey: String, id: PostID, createdAt: Timestamp, json: [UInt8]?, editedAt: Timestamp?,
      isDeleted: Bool
    ) {
      (self.row, self.key, self.id) = (row, StoredKey.key(storedKey), id)
      isInHome = StoredKey.isInHome(storedKey)
      (self.createdAt, self.json, self.editedAt) = (createdAt, json, editedAt)
      self.isDeleted = isDeleted
    }

    /// Returns the same row with its JSON parsed, for using the post repeatedly.
    func withParsedPost() -> StoredPost {
      var stored = self
      stored.parsed = post
      return stored
    }
  }

  let connection: SQLiteConnection
  /// Whether the tables of timelines other than home exist.
  let hasOthers: Bool
  var searchIndex: SearchIndexTable
  /// Counts the posts of the home timeline.
  private var tally = ArchiveTally()
  /// The authors written last, because many posts on a page have the same author.
  private var writtenAuthors: [String: User] = [:]
  /// The authors of removed posts. They may have no posts left.
  private var authorsToCheck: Set<String> = []
  /// The parts of the search index that posts were removed from.
  private var partsToCheck: Set<Int64> = []
  /// The changed positions of the home timeline.
  private(set) var changes = PostChanges()
  /// The changed positions of other timelines, by number.
  var otherChanges: [Int64: PostChanges] = [:]
  var knownRareRows: RareRows?
  /// The newest position that was occupied before this transaction, or empty if there was none; `nil` until it has been read.
  private var formerTop: PostKey?

  init(_ connection: SQLiteConnection, hasOthers: Bool) {
    self.connection = connection
    self.hasOthers = hasOthers
    searchIndex = SearchIndexTable(connection: connection)
  }

  mutating func close() throws(StorageError) {
    try tally.write(to: connection)
    for author in authorsToCheck {
      try connection.run(
        "DELETE FROM authors WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM posts WHERE author = ?1)", [.text(author)])
    }
    for part in partsToCheck where try isEmpty(SearchPart.rows(of: part)) { try searchIndex.drop(part) }
    try searchIndex.close()
    (authorsToCheck, partsToCheck) = ([], [])
  }

  private func isEmpty(_ rows: Range<Int64>) throws(StorageError) -> Bool {
    try connection.first(
      "SELECT 1 FROM posts WHERE row >= ? AND row < ? AND post IS NOT NULL LIMIT 1",
      [.integer(rows.lowerBound), .integer(rows.upperBound)]
    ) { _ in true } == nil
  }

  static let columns = "row, key, id, created_at, post, edited_at, deleted_at"
  /// The same columns for a row in `hidden`, for a query that joins `posts` and `hidden`.
  static let hiddenColumns = "row, key, id, created_at, hidden.post, hidden.edited_at, deleted_at"

  static func storedPost(_ row: borrowing SQLiteRow) -> StoredPost {
    StoredPost(
      row: row.rowID(0), storedKey: row.text(1), id: PostID(row.text(2)),
      createdAt: row.time(3), json: row.isNull(4) ? nil : row.bytes(4),
      editedAt: row.timeOrNull(5), isDeleted: !row.isNull(6))
  }

  private static let selectPost = "SELECT \(columns) FROM posts WHERE key = ?"

  func storedPost(at key: PostKey) throws(StorageError) -> StoredPost? {
    try connection.first(Self.selectPost, [.text(key.text)]) { Self.storedPost($0) }
  }

  func storedPost(row: Int64) throws(StorageError) -> StoredPost? {
    try connection.first("SELECT \(Self.columns) FROM posts WHERE row = ?", [.integer(row)]) { Self.storedPost($0) }
  }

  /// Returns whether the stored post at a position has this JSON. The bytes are compared without copying them, because most posts on a page
  /// are already stored and unchanged. If the post has no edit time, any time that this program has recorded is ignored.
  /// - Returns: `nil` if no post is stored there.
  private mutating func isStored(_ json: [UInt8], at key: PostKey) throws(StorageError) -> Bool? {
    if try key > top() { return nil }
    return try connection.first("SELECT post, edited_at FROM posts WHERE key = ?", [.text(key.text)]) { row in
      if row.holds(json, in: 0) { return true }
      guard let edited = row.timeOrNull(1) else { return false }
      return row.holds(PostJSON.bytes(json, editedAt: edited), in: 0)
    }
  }

  /// Returns the newest position that was occupied before this transaction. Most new posts are above it, so they need not be looked up.
  private mutating func top() throws(StorageError) -> PostKey {
    if let formerTop { return formerTop }
    let top = PostKey(try connection.first("SELECT max(key) FROM posts") { $0.text(0) } ?? "")
    formerTop = top
    return top
  }

  // MARK: Storing

  /// Stores a post from a page. If the post is already stored, it is updated. If it is deleted, it stays deleted, unless it is only hidden.
  /// - Returns: the post in its published form if it is new and no filter hides it.
  mutating func store(_ entry: Page.Entry, at now: Timestamp) throws(StorageError) -> KnownPost? {
    let entry = try withoutPurgedQuote(entry)
    let written = WrittenPost(entry.post)
    let json = written.bytes
    switch try isStored(json, at: entry.key) {
    case nil:
      if hasOthers, let outside = try outsidePost(at: entry.key) {
        return try bringHome(outside, as: entry, written, at: now)
      }
      if let former = try former(of: entry), let json = former.json {
        if !former.isInHome { return try bringHome(former, as: entry, written, at: now) }
        try update(former, json, with: written, entry.source, at: now)
        return nil
      }
      try insert(entry.post, json, key: entry.key, source: entry.source, at: now)
      return entry.post.isHidden ? nil : KnownPost(mark: entry.mark, json: json)
    case true: break
    case false:
      guard let former = try storedPost(at: entry.key) else { break }
      if let json = former.json {
        try update(former, json, with: written, entry.source, at: now)
      } else {
        try restore(former, with: written, entry.source, at: now)
      }
    }
    return nil
  }

  /// Returns the published form that a post from a page would have if stored.
  mutating func preview(of entry: Page.Entry) throws(StorageError) -> KnownPost {
    let entry = try withoutPurgedPost(withoutPurgedQuote(entry))
    return KnownPost(mark: entry.mark, json: PostJSON.bytes(entry.post))
  }

  mutating func rareRows() throws(StorageError) -> RareRows {
    if let knownRareRows { return knownRareRows }
    let found = try RareRows.find(in: connection)
    knownRareRows = found
    return found
  }

  /// Records that a row was added to `hidden`.
  mutating func noteHidden() { knownRareRows?.hidden = true }

  /// Stores a post that is not stored yet. A post that a filter hides is stored as by ``setAside(_:as:at:)``.
  /// - Parameters:
  ///   - json: the published form.
  ///   - isInHome: whether the home timeline contains the post.
  /// - Returns: its row.
  @discardableResult
  mutating func insert(
    _ post: Post, _ json: [UInt8], key: PostKey, isInHome: Bool = true, source: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StorageError) -> Int64 {
    if post.isHidden { return try insertFiltered(post, json, key: key, source: source, at: now) }
    try connection.run(
      """
      INSERT INTO posts (key, id, created_at, author, post, source, seen_at, edited_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(StoredKey.text(key, isInHome: isInHome)), .text(post.id.text),
        .integer(post.createdAt.milliseconds), .text(post.author.id), .utf8(json[...]), SQLiteValue(source),
        .integer(now.milliseconds), SQLiteValue(post.editedAt?.milliseconds),
      ])
    let row = connection.lastRow
    try searchIndex.add(post, row: row, key: key)
    if let quote = post.quoted { try recordQuote(quote, byNew: row) }
    try recordAuthor(post.author, at: now)
    if isInHome {
      tally.note(1, publishedAt: post.createdAt)
      changes.note(key, added: 1)
    }
    return row
  }

  private mutating func insertFiltered(
    _ post: Post, _ json: [UInt8], key: PostKey, source: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StorageError) -> Int64 {
    try connection.run(
      "INSERT INTO posts (key, id, created_at, seen_at) VALUES (?, ?, ?, ?)",
      [
        .text(key.text), .text(post.id.text), .integer(post.createdAt.milliseconds), .integer(now.milliseconds),
      ])
    let row = connection.lastRow
    try connection.run(
      "INSERT INTO hidden (row, post, source, edited_at, hidden_at) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(row), .utf8(json[...]), SQLiteValue(source),
        SQLiteValue(post.editedAt?.milliseconds), .integer(now.milliseconds),
      ])
    noteHidden()
    return row
  }

  /// Writes only the values that differ. Most of the posts in an overlap are unchanged.
  mutating func update(
    _ former: StoredPost, _ formerJSON: [UInt8], with written: WrittenPost, _ source: ArraySlice<UInt8>,
    at now: Timestamp
  ) throws(StorageError) {
    var written = written
    if written.post.editedAt == nil { written.post.editedAt = former.editedAt }
    guard written.bytes != formerJSON else { return }
    if let before = former.post { try recordEdit(of: former, from: before, to: &written.post, at: now) }
    let post = written.post
    if let before = former.post {
      try searchIndex.replace(before, by: post, row: former.row, key: former.key)
      if before.quoted?.id != post.quoted?.id { try recordQuote(post.quoted, by: former.row) }
    }
    try connection.run(
      """
      UPDATE posts SET id = ?, created_at = ?, author = ?, post = ?, source = coalesce(?, source), edited_at = ? WHERE row = ?
      """,
      [
        .text(post.id.text), .integer(post.createdAt.milliseconds), .text(post.author.id),
        .utf8(written.bytes[...]), SQLiteValue(source),
        SQLiteValue(post.editedAt?.milliseconds), .integer(former.row),
      ])
    if former.isInHome { changes.note(former.key, added: 0) }
    try noteOthers(former.row, added: 0)
    if former.isInHome, former.createdAt != post.createdAt {
      tally.note(-1, publishedAt: former.createdAt)
      tally.note(1, publishedAt: post.createdAt)
    }
    try recordAuthor(post.author, at: now)
    if post.isHidden, let stored = try storedPost(at: former.key) { try setAside(stored, as: .filtered, at: now) }
  }

  /// Keeps the former version's text if the new version's text is different, and records the time of the edit in the new version.
  func recordEdit(
    of former: StoredPost, from before: Post, to post: inout Post, at now: Timestamp
  ) throws(StorageError) {
    let text = before.unfilteredText
    guard text != post.unfilteredText else { return }
    if post.editedAt == former.editedAt { post.editedAt = now }
    try connection.run(
      "INSERT OR REPLACE INTO edits (row, until, id, text) VALUES (?, ?, ?, ?)",
      [.integer(former.row), .integer((post.editedAt ?? now).milliseconds), .text(former.id.text), .text(text)])
  }

  /// Records which post a new row quotes.
  ///
  /// This does not replace a row, because SQLite could then have to undo half of the statement. It would therefore set a savepoint, which
  /// makes the search index write its pending entries: a seventh of the instructions for storing 200 posts.
  private func recordQuote(_ quote: Post.Quote, byNew row: Int64) throws(StorageError) {
    try connection.run("INSERT OR IGNORE INTO quotes (row, id) VALUES (?, ?)", [.integer(row), .text(quote.id.text)])
    // A program that does not enforce foreign keys may have left a quote of a removed row.
    if connection.changes == 0 { try recordQuote(quote, by: row) }
  }

  /// Records which post the row quotes.
  private func recordQuote(_ quote: Post.Quote?, by row: Int64) throws(StorageError) {
    if let quote {
      try connection.run(
        "INSERT OR REPLACE INTO quotes (row, id) VALUES (?, ?)", [.integer(row), .text(quote.id.text)])
    } else {
      try connection.run("DELETE FROM quotes WHERE row = ?", [.integer(row)])
    }
  }

  private mutating func recordAuthor(_ author: User, at now: Timestamp) throws(StorageError) {
    if writtenAuthors[author.id] == author { return }
    writtenAuthors[author.id] = author
    try connection.run(
      """
      INSERT INTO authors (id, screen_name, name, avatar_url, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (id) DO UPDATE SET screen_name = ?2, name = ?3, avatar_url = ?4, seen_at = ?5
      WHERE (screen_name, name, avatar_url) IS NOT (?2, ?3, ?4) AND coalesce(authors.seen_at, 0) <= ?5
      """,
      [
        .text(author.id), .text(author.screenName), .text(author.name), SQLiteValue(author.avatarURL),
        .integer(now.milliseconds),
      ])
  }

  // MARK: Removing

  /// Replaces a post with a tombstone that keeps its id, position and time, so that the post is not stored again.
  /// - Parameter isIndexed: whether the search index still contains it.
  mutating func leaveTombstone(_ stored: StoredPost, isIndexed: Bool = true, at now: Timestamp) throws(StorageError) {
    if stored.isFiltered {
      try noteOthers(stored.row, added: -1)
      return try eraseHidden([stored.row], at: now)
    }
    guard stored.json != nil else { return }
    try emptyRow(stored, isIndexed: isIndexed, deletedAt: now)
    try connection.run("DELETE FROM edits WHERE row = ?", [.integer(stored.row)])
    try eraseTexts(ofEventsAbout: stored.row)
  }

  /// Leaves a tombstone at a position if a post is stored there.
  /// - Returns: whether a post was stored.
  mutating func leaveTombstone(at mark: PostPosition, at now: Timestamp) throws(StorageError) -> Bool {
    guard let stored = try storedPost(anywhereAt: mark.key), !stored.isDeleted else { return false }
    try leaveTombstone(stored, at: now)
    return true
  }

  /// Removes a post completely.
  /// - Parameters:
  ///   - isOldest: whether no older post is stored.
  ///   - isIndexed: whether the search index still contains it.
  mutating func remove(_ stored: StoredPost, isOldest: Bool = false, isIndexed: Bool = true) throws(StorageError) {
    try removeContent(stored, isOldest: isOldest, isIndexed: isIndexed)
    try connection.run("DELETE FROM posts WHERE row = ?", [.integer(stored.row)])
  }

  /// Empties a row, so that readers no longer treat it as a post.
  /// - Parameter deletedAt: `nil` if the server still has the post. Other timelines then still show it.
  mutating func emptyRow(
    _ stored: StoredPost, isIndexed: Bool = true, deletedAt: Timestamp?
  ) throws(StorageError) {
    try removeContent(stored, isIndexed: isIndexed)
    if deletedAt != nil { try noteOthers(stored.row, added: -1) }
    try recordQuote(nil, by: stored.row)
    try connection.run(
      "UPDATE posts SET post = NULL, source = NULL, author = NULL, edited_at = NULL, deleted_at = ? WHERE row = ?",
      [SQLiteValue(deletedAt?.milliseconds), .integer(stored.row)])
  }

  private mutating func removeContent(_ stored: StoredPost, isOldest: Bool = false, isIndexed: Bool = true)
    throws(StorageError)
  {
    guard stored.json != nil else { return }
    partsToCheck.insert(SearchPart.number(ofRow: stored.row))
    if stored.isInHome { noteRemovedFromHome(stored, isOldest: isOldest) }
    if let post = stored.post {
      if isIndexed { try searchIndex.remove(post, row: stored.row) }
      authorsToCheck.insert(post.author.id)
    }
  }

  /// Counts a shown post as removed from the home timeline.
  mutating func noteRemovedFromHome(_ stored: StoredPost, isOldest: Bool) {
    if isOldest { changes.noteEnd(stored.key) } else { changes.note(stored.key, added: -1) }
    tally.note(-1, publishedAt: stored.createdAt)
  }

  /// Replaces a post's published form with a form that has less content.
  mutating func rewrite(_ stored: StoredPost, as post: Post) throws(StorageError) {
    if stored.isInHome { changes.note(stored.key, added: 0) }
    try noteOthers(stored.row, added: 0)
    if let before = stored.post { try searchIndex.replace(before, by: post, row: stored.row, key: stored.key) }
    try recordQuote(post.quoted, by: stored.row)
    try connection.run(
      "UPDATE posts SET post = ?, source = NULL WHERE row = ?",
      [.utf8(PostJSON.bytes(post)[...]), .integer(stored.row)])
  }

  /// Counts a shown post as added to the home timeline.
  mutating func noteAddedToHome(_ stored: StoredPost) {
    tally.note(1, publishedAt: stored.createdAt)
    changes.note(stored.key, added: 1)
  }

  /// Rebuilds a part of the search index without the text of removed posts.
  func compactSearch(_ part: Int64) throws(StorageError) { try searchIndex.compact(part) }

  // MARK: Upgrading

  /// Builds the data derived from posts, for rows that contain only posts.
  static func indexAll(in connection: SQLiteConnection) throws(StorageError) {
    // Earlier versions contain the home timeline alone.
    var table = PostTable(connection, hasOthers: false)
    var last: Int64 = 0
    while true {
      let rows = try connection.all(
        "SELECT \(columns) FROM posts WHERE row > ? ORDER BY row LIMIT 500", [.integer(last)]
      ) { Self.storedPost($0) }
      guard let end = rows.last else { break }
      last = end.row
      for row in rows { try table.index(row) }
    }
    try table.close()
  }

  /// Adds a shown post to the index, the quotes and the authors.
  mutating func index(_ post: Post, row: Int64, key: PostKey, at now: Timestamp) throws(StorageError) {
    try searchIndex.add(post, row: row, key: key)
    try recordQuote(post.quoted, by: row)
    try recordAuthor(post.author, at: now)
  }

  /// Counts a hidden post as shown again.
  mutating func noteShown(_ stored: StoredPost) throws(StorageError) {
    if stored.isInHome { noteAddedToHome(stored) }
    // Other timelines have shown a filtered post all along.
    if stored.isDeleted { try noteOthers(stored.row, added: 1) }
  }

  private mutating func index(_ stored: StoredPost) throws(StorageError) {
    guard stored.json != nil else { return }
    tally.note(1, publishedAt: stored.createdAt)
    guard let post = stored.post else { return }
    try connection.run(
      "UPDATE posts SET author = ? WHERE row = ?", [.text(post.author.id), .integer(stored.row)])
    try searchIndex.add(post, row: stored.row, key: stored.key)
    if post.quoted != nil { try recordQuote(post.quoted, by: stored.row) }
    try recordAuthor(post.author, at: stored.createdAt)
  }
}

extension PostTable {
  /// Imports a post into the home timeline unless its position is occupied.
  /// - Parameter seenAt: when the source stored the post; `nil` if this is unknown.
  /// - Returns: whether the post was added.
  mutating func importPost(
    _ imported: ImportedPost, seenAt: Timestamp? = nil, at now: Timestamp
  ) throws(StorageError) -> Bool {
    guard try storedPost(at: imported.key) == nil else { return false }
    if hasOthers, let outside = try outsidePost(at: imported.key) {
      _ = try bringHome(outside)
    } else {
      _ = try insert(imported, isInHome: true, seenAt: seenAt, at: now)
    }
    return true
  }

  /// Stores an imported post.
  /// - Returns: its row.
  mutating func insert(
    _ imported: ImportedPost, isInHome: Bool, seenAt: Timestamp?, at now: Timestamp
  ) throws(StorageError) -> Int64 {
    guard let post = imported.post else {
      try connection.run(
        "INSERT INTO posts (key, id, created_at, seen_at, deleted_at) VALUES (?, ?, ?, ?, ?)",
        [
          .text(StoredKey.text(imported.key, isInHome: isInHome)), .text(imported.id.text),
          .integer(imported.createdAt.milliseconds), SQLiteValue(seenAt?.milliseconds),
          .integer((imported.deletedAt ?? now).milliseconds),
        ])
      return connection.lastRow
    }
    // The author's names are those used at that time, and may have changed since.
    let stored = isInHome ? post : post.unfiltered
    let row = try insert(
      stored, PostJSON.bytes(stored), key: imported.key, isInHome: isInHome, source: imported.source[...],
      at: seenAt ?? post.createdAt)
    for edit in imported.edits {
      try connection.run(
        "INSERT OR IGNORE INTO edits (row, until, id, text) VALUES (?, ?, ?, ?)",
        [.integer(row), .integer(edit.until.milliseconds), .text(edit.id.text), .text(edit.text)])
    }
    return row
  }
}
