import PublishedFiles
import Storage
import StorageTestSupport
import Time
import Timeline

@testable import StorageSQLite

extension StorageHome {
  func database() throws -> AccountDatabase { try AccountDatabase.open(files, at: noon) }
}

/// Returns the post with the given number. Post 1 is one second newer than post 0.
func entry(_ number: Int, text: String? = nil) -> Page.Entry {
  let id = PostID(String(number))
  let author = User(id: "1", screenName: "a", name: "A")
  return Page.Entry(
    post: Post(id: id, createdAt: Timestamp(seconds: Int64(number)), author: author, text: text ?? "post \(number)"),
    key: PostKey(decimal: id)!)
}

/// Returns a page with the posts from `newest` down to `oldest`. The cursor is the oldest post's number.
func page(_ newest: Int, _ oldest: Int) -> Page {
  Page(entries: (oldest...newest).map { entry($0) }, older: PageCursor(String(oldest)))
}

extension AccountDatabase {
  /// Stores a page at noon.
  /// - Returns: the number of added posts.
  @discardableResult
  func insert(
    _ page: Page, as home: PagePosition, settling settlement: Settlement? = nil,
    keeping retention: Retention = Retention(),
    state change: (inout AccountState) -> Void = { _ in }
  ) throws(StorageError) -> Int {
    try insert(page, as: home, at: noon, settling: settlement, keeping: retention, state: change).count
  }
}

extension TimelineFilesWriter {
  func publishAll(from database: AccountDatabase) throws(PublishError) { try publishAll(from: database, at: noon) }
}

extension AccountDatabase {
  /// Runs a purge from beginning to end.
  func purge(_ purge: Purge, at now: Timestamp) throws(StorageError) -> Purged {
    var run = try begin(purge, at: now)
    while try continuePurge(&run, at: now) {}
    return run.purged
  }
}

/// Turns a current database of at most 4,000 posts into one that an earlier version wrote, with that version's tables and data.
func makeOlder(_ path: String, version: Int64) throws {
  let older = try SQLiteConnection(path, .writing)
  try older.transaction { () throws(StorageError) in
    for sql in [
      "DROP TABLE IF EXISTS search_0", "DROP TABLE search_parts", "DROP TABLE undivided_search", "DROP TABLE quotes",
      "DROP TABLE purges", "DROP TABLE edits", "DROP TABLE authors", "DROP TABLE hours", "DROP TABLE purged",
      "DROP TABLE hidden", "DROP TABLE deletion_checks",
      "ALTER TABLE posts RENAME TO posts_now",
      "CREATE TABLE posts (key TEXT PRIMARY KEY NOT NULL, id TEXT NOT NULL, created_at INTEGER NOT NULL, post BLOB NOT NULL) STRICT",
      "INSERT INTO posts SELECT key, id, created_at, CAST(post AS BLOB) FROM posts_now", "DROP TABLE posts_now",
    ] { try older.run(sql) }
    for column in ["read_key", "read_id", "keeps_from", "kept", "usual_posts"] {
      try older.run("ALTER TABLE state DROP COLUMN \(column)")
    }
    if version < 3 { for table in ["days", "billed"] { try older.run("DROP TABLE \(table)") } }
    if version < 2 {
      for column in ["asked_at", "failures"] { try older.run("ALTER TABLE state DROP COLUMN \(column)") }
    }
    try older.run("PRAGMA user_version = \(version)")
  }
  older.close()
}

/// Turns a database into a version 4 one, with a single search index and no record of deletions.
func makeVersion4(of path: String) throws {
  let file = try SQLiteConnection(path, .writing)
  try file.transaction { () throws(StorageError) in
    for part in try SearchPart.all(in: file) { try file.run("DROP TABLE \(part.table)") }
    for table in ["search_parts", "undivided_search", "quotes", "purges", "hidden", "deletion_checks"] {
      try file.run("DROP TABLE \(table)")
    }
    try file.run(ArchiveTables.createSearch("search"))
    let kept = try file.all("SELECT \(PostTable.columns) FROM posts WHERE post IS NOT NULL") {
      PostTable.storedPost($0)
    }
    for kept in kept {
      guard let post = kept.post else { continue }
      try file.run(
        "INSERT INTO search (rowid, text, author) VALUES (?, ?, ?)",
        [.integer(kept.row), .text(SearchText.text(of: post)), .text(SearchText.author(of: post))])
    }
    try makeVersion6(of: file)
    try file.run("PRAGMA user_version = 4")
  }
  file.close()
}

/// Turns a current database into a version 6 one.
func makeVersion6(of connection: SQLiteConnection) throws(StorageError) {
  try connection.run("ALTER TABLE state DROP COLUMN usual_posts")
  try connection.run("PRAGMA user_version = 6")
}
