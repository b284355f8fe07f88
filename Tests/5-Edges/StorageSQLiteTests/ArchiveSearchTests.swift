import Folders
import Formats
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@Suite struct ArchiveSearchTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func entry(_ number: Int, _ text: String, by name: String = "jack", id: String = "1") -> Page.Entry {
    let post = Post(
      id: PostID(String(number)), createdAt: Timestamp(seconds: Int64(number)),
      author: User(id: id, screenName: name, name: name.uppercased()), text: text)
    return Page.Entry(post: post, key: PostKey(decimal: post.id)!)
  }

  private func numbers(
    _ database: AccountDatabase, _ query: String, since: Int64? = nil, until: Int64? = nil, author: String? = nil,
    limit: Int = 100
  ) throws -> [Int] {
    try database.search(
      SearchQuery(query), since: since.map { Timestamp(seconds: $0) }, until: until.map { Timestamp(seconds: $0) },
      author: author, limit: limit
    ).compactMap { Int($0.mark.id.text) }
  }

  private func filled() throws -> AccountDatabase {
    let database = try home.database()
    let entries = [
      entry(8, "apple"), entry(9, "apple pie"), entry(10, "no fruit", by: "mira", id: "2"),
      entry(101, "apple by another", by: "Mira", id: "2"), entry(1000, "苹果手机"),
    ]
    try database.insert(Page(entries: entries, older: nil), as: .head)
    return database
  }

  @Test("search hits are sorted latest first, up to the limit")
  func order() throws {
    let database = try filled()
    #expect(try numbers(database, "apple") == [101, 9, 8])
    #expect(try numbers(database, "apple", limit: 2) == [101, 9])
    #expect(try numbers(database, "apple", limit: 0) == [])
    #expect(try numbers(database, "手机") == [1000])
    #expect(try numbers(database, "nothing") == [])
    #expect(
      try database.search(SearchQuery("pie"), limit: 1) == database.posts(of: .home, below: PostKey("02.10"), atMost: 1)
    )
  }

  @Test("a search includes posts at the time `since` and excludes posts at the time `until`")
  func times() throws {
    let database = try filled()
    #expect(try numbers(database, "apple", since: 9) == [101, 9])
    #expect(try numbers(database, "apple", until: 101) == [9, 8])
    #expect(try numbers(database, "apple", since: 9, until: 9) == [])
  }

  @Test(
    "a search by author is case-insensitive and uses the latest known name, but includes posts under earlier names")
  func author() throws {
    let database = try filled()
    #expect(try numbers(database, "apple OR fruit", author: "@MIRA") == [101, 10])
    try database.insert(Page(entries: [entry(2000, "apple now", by: "miranda", id: "2")], older: nil), as: .head)
    #expect(try numbers(database, "apple OR fruit", author: "miranda") == [2000, 101, 10])
    #expect(try numbers(database, "apple OR fruit", author: "mira") == [])
    #expect(try numbers(database, "@mira") == [101, 10])
  }

  @Test("a search finds neither deleted posts nor the earlier text of edited posts")
  func gone() throws {
    let database = try filled()
    try database.insert(
      Page(entries: [entry(9, "cherry pie")], older: nil, deleted: [entry(8, "apple").mark]), as: .head)
    #expect(try numbers(database, "apple") == [101])
    #expect(try numbers(database, "cherry") == [9])
  }

  @Test("a search works while the service writes to the archive")
  func whileWriting() throws {
    let owner = try filled()
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    #expect(try numbers(reader, "apple") == [101, 9, 8])
    try owner.insert(Page(entries: [entry(3000, "apple again")], older: nil), as: .head)
    #expect(try numbers(reader, "apple") == [3000, 101, 9, 8])
    reader.close()
  }

  @Test("searching an earlier version's file fails with advice on how to upgrade it")
  func olderSchema() throws {
    try filled().close()
    try makeOlder(home.files.database, version: 3)
    let error = #expect(throws: StorageError.self) { try AccountDatabase.openArchive(home.files) }
    #expect(
      error?.description
        == "\(home.files.database): written by an older homeline. The service upgrades it at its next start. To upgrade it now, run: homeline refresh"
    )
  }

  @Test("checking an intact archive finds no problems, even while the service writes to it")
  func sound() throws {
    let owner = try filled()
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    #expect(try reader.integrity() == ArchiveIntegrity(posts: 5, deleted: 0, problems: []))
    try owner.insert(Page(entries: [entry(9, "x")], older: nil, deleted: [entry(8, "apple").mark]), as: .head)
    #expect(try reader.integrity() == ArchiveIntegrity(posts: 4, deleted: 1, problems: []))
    reader.close()
  }

  @Test(
    "checking an archive reports each inconsistency",
    arguments: [
      ("DELETE FROM search_0_docsize WHERE id = 1", "1 posts are missing from the search index"),
      ("INSERT INTO search_0_docsize VALUES (99, x'01')", "1 entries of the search index have no post"),
      ("UPDATE posts SET post = '{' WHERE row = 1", "1 posts cannot be read"),
      ("UPDATE posts SET deleted_at = 1 WHERE row = 1", "1 posts are incomplete but not marked as deleted"),
      ("UPDATE state SET kept = 3", "2 posts too many or too few are counted in the totals"),
      ("UPDATE hours SET posts = posts + 1", "1 hourly counts are wrong"),
      ("DELETE FROM authors WHERE id = '2'", "2 posts have no author"),
      ("PRAGMA foreign_keys = OFF; INSERT INTO edits VALUES (77, 1, 'a', 'b')", "a row of edits has no post"),
      ("UPDATE spans SET oldest_key = '99'", "1 spans of the timeline end before they begin"),
    ])
  func unsound(sql: String, problem: String) async throws {
    try filled().close()
    let outcome = try await ProgramRun.run(
      "sqlite3", [home.files.database, sql], environment: ["PATH": "/usr/bin:/bin"])
    try #require(outcome.code == 0, "\(outcome.error)")
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    #expect(try reader.integrity().problems == [problem])
    reader.close()
  }
}
