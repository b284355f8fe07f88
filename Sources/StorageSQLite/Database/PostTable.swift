internal import CivilTime
internal import Publish
internal import SQLite
internal import Storage
internal import Timeline

/// The rows of an archive's posts, with all that belongs to each: its author, its words, what it said before. To be used within
/// a transaction, at whose end ``close()`` writes the numbers down.
struct PostTable {
  /// A post as its row has it.
  struct Kept {
    let row: Int64
    let key: PostKey
    let id: PostID
    let createdAt: Timestamp
    /// `nil` once it was deleted.
    let json: [UInt8]?
    let editedAt: Timestamp?
    private var parsed: Post?
    /// `nil` also for one that cannot be read.
    var post: Post? { parsed ?? json.flatMap { try? PostJSON.read($0) } }

    init(row: Int64, key: PostKey, id: PostID, createdAt: Timestamp, json: [UInt8]?, editedAt: Timestamp?) {
      (self.row, self.key, self.id) = (row, key, id)
      (self.createdAt, self.json, self.editedAt) = (createdAt, json, editedAt)
    }

    /// The same with its JSON parsed, for one whose post is needed more than once.
    func withParsedPost() -> Kept {
      var kept = self
      kept.parsed = post
      return kept
    }
  }

  let connection: SQLiteConnection
  private var words: SearchIndexTable
  private var tally = ArchiveTally()
  /// Authors as they were noted last: many posts of a page have the same one.
  private var noted: [String: User] = [:]
  /// Who wrote what went, and may have nothing left.
  private var bereft: Set<String> = []
  /// The parts of the search index from whose rows posts went.
  private var thinned: Set<Int64> = []
  /// Which places are not as they were.
  private(set) var changes = PostChanges()
  /// Whether words of any post were removed on purpose; `nil` until somebody has looked.
  private var hasPurged: Bool?

  init(_ connection: SQLiteConnection) {
    self.connection = connection
    words = SearchIndexTable(connection: connection)
  }

  mutating func close() throws(StorageError) {
    try tally.write(to: connection)
    for author in bereft {
      try connection.run(
        "DELETE FROM authors WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM posts WHERE author = ?1)", [.text(author)])
    }
    for part in thinned where try isEmpty(SearchPart.rows(of: part)) { try words.drop(part) }
    try words.close()
    (bereft, thinned) = ([], [])
  }

  private func isEmpty(_ rows: Range<Int64>) throws(StorageError) -> Bool {
    try connection.first(
      "SELECT 1 FROM posts WHERE row >= ? AND row < ? AND post IS NOT NULL LIMIT 1",
      [.integer(rows.lowerBound), .integer(rows.upperBound)]
    ) { _ in true } == nil
  }

  static let columns = "row, key, id, created_at, post, edited_at"

  static func kept(_ row: borrowing SQLiteRow) -> Kept {
    Kept(
      row: row.integer(0), key: PostKey(row.text(1)), id: PostID(row.text(2)),
      createdAt: Timestamp(milliseconds: row.integer(3)), json: row.isNull(4) ? nil : row.bytes(4),
      editedAt: row.integerOrNull(5).map { Timestamp(milliseconds: $0) })
  }

  private static let selectKept = "SELECT \(columns) FROM posts WHERE key = ?"

  func kept(at key: PostKey) throws(StorageError) -> Kept? {
    try connection.first(Self.selectKept, [.text(key.text)]) { Self.kept($0) }
  }

  /// What is at a place, compared with a post where it lies: most of a page is kept already, and as it is. A time of its last edit
  /// that the post does not say was found out here, and stays.
  /// - Returns: whether it is the same; `nil` where nothing is kept.
  private func isKept(_ json: [UInt8], at key: PostKey) throws(StorageError) -> Bool? {
    try connection.first("SELECT post, edited_at FROM posts WHERE key = ?", [.text(key.text)]) { row in
      if row.holds(json, in: 0) { return true }
      guard let edited = row.integerOrNull(1) else { return false }
      return row.holds(PostJSON.bytes(json, editedAt: Timestamp(milliseconds: edited)), in: 0)
    }
  }

  // MARK: Taking

  /// Keeps a post of a page. One that is kept already is kept as it is now. One that was deleted stays so, unless it is only hidden.
  /// - Returns: the post as it is published when it is a new one.
  mutating func take(_ entry: Page.Entry, at now: Timestamp) throws(StorageError) -> KnownPost? {
    let entry = try withoutPurgedQuote(entry)
    let json = PostJSON.bytes(entry.post)
    switch try isKept(json, at: entry.key) {
    case nil:
      if let former = try former(of: entry), let json = former.json {
        try update(former, json, with: entry, at: now)
        return nil
      }
      try insert(entry.post, json, key: entry.key, source: entry.source, at: now)
      return KnownPost(mark: entry.mark, json: json)
    case true: break
    case false:
      guard let former = try kept(at: entry.key) else { break }
      if let json = former.json {
        try update(former, json, with: entry, at: now)
      } else {
        try restore(former, with: entry, at: now)
      }
    }
    return nil
  }

  /// A post of a page as it would be published once it is kept.
  mutating func preview(of entry: Page.Entry) throws(StorageError) -> KnownPost {
    let entry = try withoutPurgedQuote(entry)
    return KnownPost(mark: entry.mark, json: PostJSON.bytes(entry.post))
  }

  /// The post without words of another one that were removed on purpose; its provider's own words have them too.
  private mutating func withoutPurgedQuote(_ entry: Page.Entry) throws(StorageError) -> Page.Entry {
    guard let quoted = entry.post.quoted, try anyArePurged(),
      try connection.first("SELECT 1 FROM purged WHERE id = ?", [.text(quoted.id.text)], { _ in true }) != nil
    else { return entry }
    var post = entry.post
    post.quoted = nil
    return Page.Entry(post: post, key: entry.key)
  }

  private mutating func anyArePurged() throws(StorageError) -> Bool {
    if let hasPurged { return hasPurged }
    let found = try connection.first("SELECT 1 FROM purged LIMIT 1", [], { _ in true }) != nil
    hasPurged = found
    return found
  }

  /// Keeps a post that is not kept yet.
  /// - Parameter json: as it is published.
  /// - Returns: its row.
  @discardableResult
  mutating func insert(
    _ post: Post, _ json: [UInt8], key: PostKey, source: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StorageError) -> Int64 {
    try connection.run(
      """
      INSERT INTO posts (key, id, created_at, author, post, source, seen_at, edited_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(key.text), .text(post.id.text), .integer(post.createdAt.milliseconds), .text(post.author.id),
        .utf8(json), source.isEmpty ? .null : .utf8(Array(source)), .integer(now.milliseconds),
        SQLiteValue(post.editedAt?.milliseconds),
      ])
    let row = connection.lastRow
    try words.add(post, row: row, key: key)
    if post.quoted != nil { try note(post.quoted, by: row) }
    try note(post.author, at: now)
    tally.note(1, publishedAt: post.createdAt)
    changes.note(key, added: 1)
    return row
  }

  /// Only where something differs: most posts of an overlap are as they were, and need no writing.
  private mutating func update(
    _ former: Kept, _ formerJSON: [UInt8], with entry: Page.Entry, at now: Timestamp
  ) throws(StorageError) {
    var post = entry.post
    if post.editedAt == nil { post.editedAt = former.editedAt }
    guard PostJSON.bytes(post) != formerJSON else { return }
    if let before = former.post {
      if before.text != post.text {
        if post.editedAt == former.editedAt { post.editedAt = now }
        try connection.run(
          "INSERT OR REPLACE INTO edits (row, until, id, text) VALUES (?, ?, ?, ?)",
          [
            .integer(former.row), .integer((post.editedAt ?? now).milliseconds), .text(former.id.text),
            .text(before.text),
          ])
      }
      try words.replace(before, by: post, row: former.row, key: former.key)
      if before.quoted?.id != post.quoted?.id { try note(post.quoted, by: former.row) }
    }
    try connection.run(
      """
      UPDATE posts SET id = ?, created_at = ?, author = ?, post = ?, source = coalesce(?, source), edited_at = ? WHERE row = ?
      """,
      [
        .text(post.id.text), .integer(post.createdAt.milliseconds), .text(post.author.id),
        .utf8(PostJSON.bytes(post)), entry.source.isEmpty ? .null : .utf8(Array(entry.source)),
        SQLiteValue(post.editedAt?.milliseconds), .integer(former.row),
      ])
    changes.note(former.key, added: 0)
    if former.createdAt != post.createdAt {
      tally.note(-1, publishedAt: former.createdAt)
      tally.note(1, publishedAt: post.createdAt)
    }
    try note(post.author, at: now)
  }

  /// Remembers what the post of a row quotes.
  private func note(_ quote: Post.Quote?, by row: Int64) throws(StorageError) {
    if let quote {
      try connection.run(
        "INSERT OR REPLACE INTO quotes (row, id) VALUES (?, ?)", [.integer(row), .text(quote.id.text)])
    } else {
      try connection.run("DELETE FROM quotes WHERE row = ?", [.integer(row)])
    }
  }

  private mutating func note(_ author: User, at now: Timestamp) throws(StorageError) {
    if noted[author.id] == author { return }
    noted[author.id] = author
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

  /// Leaves of a post its id, its place and its time, so that it does not come back.
  /// - Parameter isIndexed: whether the search index still has it.
  mutating func bury(_ kept: Kept, isIndexed: Bool = true, at now: Timestamp) throws(StorageError) {
    guard kept.json != nil else { return }
    try empty(kept, isIndexed: isIndexed, at: now)
    try connection.run("DELETE FROM edits WHERE row = ?", [.integer(kept.row)])
  }

  /// Buries the post at a place, if one is kept there.
  /// - Returns: whether one was.
  mutating func bury(at mark: PostPosition, at now: Timestamp) throws(StorageError) -> Bool {
    guard let kept = try kept(at: mark.key), kept.json != nil else { return false }
    try bury(kept, at: now)
    return true
  }

  /// Leaves nothing of a post.
  /// - Parameters:
  ///   - isOldest: whether nothing older is kept.
  ///   - isIndexed: whether the search index still has it.
  mutating func remove(_ kept: Kept, isOldest: Bool = false, isIndexed: Bool = true) throws(StorageError) {
    try takeOut(kept, isOldest: isOldest, isIndexed: isIndexed)
    try connection.run("DELETE FROM posts WHERE row = ?", [.integer(kept.row)])
  }

  /// Leaves a row that no reader takes for a post.
  private mutating func empty(_ kept: Kept, isIndexed: Bool = true, at now: Timestamp) throws(StorageError) {
    try takeOut(kept, isIndexed: isIndexed)
    try note(nil, by: kept.row)
    try connection.run(
      "UPDATE posts SET post = NULL, source = NULL, author = NULL, edited_at = NULL, deleted_at = ? WHERE row = ?",
      [.integer(now.milliseconds), .integer(kept.row)])
  }

  private mutating func takeOut(_ kept: Kept, isOldest: Bool = false, isIndexed: Bool = true) throws(StorageError) {
    guard kept.json != nil else { return }
    thinned.insert(SearchPart.number(ofRow: kept.row))
    if isOldest { changes.noteEnd(kept.key) } else { changes.note(kept.key, added: -1) }
    if let post = kept.post {
      if isIndexed { try words.remove(post, row: kept.row) }
      bereft.insert(post.author.id)
    }
    tally.note(-1, publishedAt: kept.createdAt)
  }

  /// Remembers that a post's words were removed on purpose.
  mutating func notePurged(_ id: PostID) throws(StorageError) {
    hasPurged = true
    try connection.run("INSERT OR IGNORE INTO purged (id) VALUES (?)", [.text(id.text)])
  }

  /// Replaces a post's published form by one that says less.
  mutating func rewrite(_ kept: Kept, as post: Post) throws(StorageError) {
    changes.note(kept.key, added: 0)
    if let before = kept.post { try words.replace(before, by: post, row: kept.row, key: kept.key) }
    try note(post.quoted, by: kept.row)
    try connection.run(
      "UPDATE posts SET post = ?, source = NULL WHERE row = ?", [.utf8(PostJSON.bytes(post)), .integer(kept.row)])
  }

  /// Writes a part of the search index anew, without the words of what went.
  func compactSearch(_ part: Int64) throws(StorageError) { try words.compact(part) }

  // MARK: Hiding

  /// Removes a post as ``bury(_:isIndexed:at:)`` does, but keeps its text aside until it is erased: the deletion may be a mistake.
  mutating func hide(_ kept: Kept, at now: Timestamp) throws(StorageError) {
    guard kept.json != nil else { return }
    try connection.run(
      """
      INSERT INTO hidden (row, post, source, edited_at, hidden_at) SELECT row, post, source, edited_at, ? FROM posts
      WHERE row = ?
      """, [.integer(now.milliseconds), .integer(kept.row)])
    try empty(kept, at: now)
  }

  /// Brings a hidden post back, as a page has it. A deleted post whose text is not kept aside stays deleted.
  private mutating func restore(_ place: Kept, with entry: Page.Entry, at now: Timestamp) throws(StorageError) {
    let hidden = try connection.first(
      """
      SELECT row, key, id, created_at, hidden.post, hidden.edited_at FROM posts JOIN hidden USING (row) WHERE row = ?
      """, [.integer(place.row)]
    ) { Self.kept($0) }
    guard let hidden, let json = hidden.json else { return }
    try connection.run(
      """
      UPDATE posts SET (post, source, edited_at) = (SELECT post, source, edited_at FROM hidden WHERE row = ?1),
      author = ?2, deleted_at = NULL WHERE row = ?1
      """, [.integer(hidden.row), SQLiteValue(hidden.post?.author.id)])
    try connection.run("DELETE FROM hidden WHERE row = ?", [.integer(hidden.row)])
    if let post = hidden.post {
      try words.add(post, row: hidden.row, key: hidden.key)
      try note(post.quoted, by: hidden.row)
      try note(post.author, at: now)
    }
    tally.note(1, publishedAt: hidden.createdAt)
    changes.note(hidden.key, added: 1)
    try update(hidden, json, with: entry, at: now)
  }

  /// Erases the texts of posts that were hidden at a moment or before. What is left is what ``bury(_:isIndexed:at:)`` leaves.
  func eraseHidden(upTo moment: Timestamp) throws(StorageError) {
    try eraseHidden(
      connection.all("SELECT row FROM hidden WHERE hidden_at <= ?", [.integer(moment.milliseconds)]) { $0.integer(0) })
  }

  /// Erases the texts of hidden posts by their rows, with what is left of their words in the search index.
  func eraseHidden(_ rows: [Int64]) throws(StorageError) {
    guard !rows.isEmpty else { return }
    for row in rows {
      try connection.run("DELETE FROM hidden WHERE row = ?", [.integer(row)])
      try connection.run("DELETE FROM edits WHERE row = ?", [.integer(row)])
    }
    let parts = Set(rows.map { SearchPart.number(ofRow: $0) })
    for part in try SearchPart.all(in: connection) where parts.contains(part.number) { try words.compact(part.number) }
  }

  // MARK: Bringing up to date

  /// Fills what follows from the posts, for rows that have nothing but them.
  static func indexAll(in connection: SQLiteConnection) throws(StorageError) {
    var table = PostTable(connection)
    var last: Int64 = 0
    while true {
      let rows = try connection.all(
        "SELECT \(columns) FROM posts WHERE row > ? ORDER BY row LIMIT 500", [.integer(last)]
      ) { kept($0) }
      guard let end = rows.last else { break }
      last = end.row
      for row in rows { try table.index(row) }
    }
    try table.close()
  }

  private mutating func index(_ kept: Kept) throws(StorageError) {
    guard kept.json != nil else { return }
    tally.note(1, publishedAt: kept.createdAt)
    guard let post = kept.post else { return }
    try connection.run(
      "UPDATE posts SET author = ? WHERE row = ?", [.text(post.author.id), .integer(kept.row)])
    try words.add(post, row: kept.row, key: kept.key)
    if post.quoted != nil { try note(post.quoted, by: kept.row) }
    try note(post.author, at: kept.createdAt)
  }
}
