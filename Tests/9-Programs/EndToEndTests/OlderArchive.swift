import Folders
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// An archive with everything that an earlier version of homeline could store.
struct OlderArchive {
  /// The versions of the schema before the current one.
  static let versions: [Int64] = [1, 2, 3, 4, 5, 6, 7]

  let version: Int64
  let path: String

  /// Creates the archive of an account that has none.
  init(_ version: Int64, of account: String, in archives: ArchiveFixture) throws {
    self.version = version
    path = try archives.files(of: account).database
    let database = try archives.archive(of: account)
    try Self.fill(database)
    database.close()
    let file = try SQLiteConnection(path, .writing)
    defer { file.close() }
    try file.transaction { () throws(StorageError) in
      for older in Self.versions.reversed() where older >= version {
        for statement in Self.statements(to: older) { try file.run(statement) }
      }
      try file.run("PRAGMA user_version = \(version)")
    }
  }

  /// The read mark of versions that have one.
  static let readID = "24"
  /// The purge in progress removes the posts below this one.
  private static let firstKept = 5

  private static func fill(_ database: AccountDatabase) throws {
    let (now, hour) = (ArchiveFixture.time + .seconds(86_400), Duration.seconds(3600))
    func page(_ numbers: ClosedRange<Int>, _ change: (Int, inout Post) -> Void = { _, _ in }) -> Page {
      let entries = numbers.map { number in
        let entry = ArchiveFixture.entry(number, "post \(number)", answering: number == 22 ? 21 : nil)
        var post = entry.post
        change(number, &post)
        return Page.Entry(post: post, key: entry.key, source: entry.source)
      }
      return Page(entries: entries, older: PageCursor("below \(numbers.lowerBound)"))
    }
    try database.insert(page(1...12), as: .head, at: now) { state in
      let user = User(id: "7", screenName: "mira_demo", name: "Mira")
      state.identity = AccountIdentity(server: "https://api.example", user: user)
      state.askedAt = now
      state.rateLimit = RateLimit(limit: 15, remaining: 3, reset: now + hour)
      state.usualPosts = 800
      state[.home] = TimelineState(
        refreshedAt: now, nextRefreshAt: now + hour, staleSince: now,
        problem: Problem(code: .provider, message: "the server is away", retryAt: now + hour), entityTag: "\"x\"",
        failures: 3)
    }
    // A gap, a quote, a post that a filter hides, and an edit.
    try database.insert(
      page(20...30) { number, post in
        if number == 26 {
          post.quoted = Post.Quote(
            id: PostID("8"), createdAt: post.createdAt, author: post.author, text: "post 8", url: nil, media: [])
        }
        if number == 28 { post = post.filtered(by: ServerFilter(.hide, title: "wasps")) }
      }, as: .head, at: now)
    try database.insert(page(25...25) { _, post in post.text = "post 25, edited" }, as: .single, at: now + hour)
    // Two deleted posts: one was reported once, the other for certain.
    let marks = [21, 23].map { ArchiveFixture.entry($0, "").mark }
    for mark in marks { _ = try database.note(.gone, of: mark, at: now) }
    _ = try database.note(.gone, of: marks[0], at: now + hour * 2)
    var purge = try database.begin(.post(PostID("29")), at: now)
    while try database.continuePurge(&purge, at: now) {}
    try database.update { $0[.home].readUpTo = ArchiveFixture.entry(24, "").mark }
    let reservation = try database.reserve(posts: 40, microUSD: 200_000, at: now)
    try database.settle(Settlement(reservation, posts: (1...3).map { "post \($0)" }, microUSDPerPost: 5000))
    _ = try database.reserve(posts: 2, microUSD: 10_000, at: now)
    _ = try database.begin(.before(ArchiveFixture.entry(firstKept, "").post.createdAt), at: now)
  }

  /// Returns the statements that turn an archive of the next version into one of this version.
  private static func statements(to older: Int64) -> [String] {
    func withoutColumns(_ columns: String...) -> [String] {
      columns.map { "ALTER TABLE state DROP COLUMN \($0)" }
    }
    func withoutTables(_ tables: String...) -> [String] { tables.map { "DROP TABLE \($0)" } }
    switch older {
    case 6: return withoutColumns("usual_posts")
    case 5:
      return [
        "DELETE FROM hidden WHERE row IN (SELECT row FROM posts WHERE deleted_at IS NULL)",
        "DELETE FROM posts WHERE post IS NULL AND deleted_at IS NULL",
      ]
    case 4:
      return [
        "CREATE VIRTUAL TABLE search USING fts5(text, author, content='', tokenize=\"unicode61 remove_diacritics 2\")",
        """
        INSERT INTO search (rowid, text, author)
        SELECT row, json_extract(post, '$.text'), json_extract(post, '$.author.screen_name') || ' ' || json_extract(post, '$.author.name')
        FROM posts WHERE post IS NOT NULL
        """,
      ]
        + withoutTables(
          "search_0", "quotes", "search_parts", "undivided_search", "purges", "hidden", "deletion_checks")
    case 3:
      return withoutTables("search", "edits", "authors", "purged", "hours") + [
        "ALTER TABLE posts RENAME TO posts_now",
        """
        CREATE TABLE posts (key TEXT PRIMARY KEY NOT NULL, id TEXT NOT NULL, created_at INTEGER NOT NULL, post BLOB NOT NULL) STRICT
        """,
        "INSERT INTO posts SELECT key, id, created_at, CAST(post AS BLOB) FROM posts_now WHERE post IS NOT NULL",
        "DROP TABLE posts_now",
      ] + withoutColumns("read_key", "read_id", "keeps_from", "kept")
    case 2:
      return withoutTables("days", "billed") + [
        "ALTER TABLE state ADD COLUMN spending_day INTEGER", "ALTER TABLE state ADD COLUMN spending_posts INTEGER",
        "UPDATE state SET spending_day = 20777, spending_posts = 4",
      ]
    case 1: return withoutColumns("asked_at", "failures", "spending_day", "spending_posts")
    default: return []
    }
  }

  // MARK: The content

  /// The tables whose content must outlast an upgrade, except the search index, with a query each. The purge in progress has ended.
  static let queries = [
    "posts": """
    SELECT key, id, created_at, CAST(post AS TEXT) FROM posts WHERE id + 0 >= \(firstKept) ORDER BY key
    """,
    "sources": """
    SELECT key, author, source, seen_at, edited_at, deleted_at FROM posts WHERE id + 0 >= \(firstKept) ORDER BY key
    """,
    "spans": """
    SELECT newest_key, newest_id, max(oldest_key, '01.\(firstKept)'),
    CASE WHEN oldest_key > '01.\(firstKept)' THEN older_cursor END FROM spans ORDER BY 1
    """,
    "edits": "SELECT edits.* FROM edits ORDER BY row, until",
    "hidden": "SELECT * FROM hidden ORDER BY row",
    "deletion_checks": "SELECT * FROM deletion_checks ORDER BY row",
    "quotes": "SELECT * FROM quotes ORDER BY row",
    "authors": "SELECT * FROM authors ORDER BY id",
    "purged": "SELECT * FROM purged ORDER BY id",
    "days": "SELECT * FROM days ORDER BY day",
    "billed": "SELECT * FROM billed ORDER BY kind, id",
    "identity": "SELECT server, user_id, user_screen_name, user_name FROM state",
    "refreshes": """
    SELECT refreshed_at, next_refresh_at, stale_since, problem_code, problem_message, entity_tag FROM state
    """,
    "limits": "SELECT rate_limit, rate_remaining, rate_reset FROM state",
    "failures": "SELECT asked_at, failures FROM state",
    "mark": "SELECT read_key, read_id FROM state",
    "purge": "SELECT keeps_from FROM state",
    "usual": "SELECT usual_posts FROM state",
    "unpurged": """
    SELECT (SELECT count(*) FROM purges) + (SELECT count(*) FROM posts WHERE id + 0 < \(firstKept))
    """,
  ]

  /// The parts of ``queries`` that this version has.
  var parts: Set<String> {
    var parts: Set = ["posts", "spans", "identity", "refreshes", "limits"]
    if version >= 2 { parts.insert("failures") }
    if version >= 3 { parts.formUnion(["days", "billed"]) }
    if version >= 4 { parts.formUnion(["sources", "edits", "authors", "purged", "mark", "purge"]) }
    if version >= 5 { parts.formUnion(["hidden", "deletion_checks", "quotes"]) }
    if version >= 7 { parts.insert("usual") }
    return parts
  }
}
