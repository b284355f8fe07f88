import Folders
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// Posts that are missing from the newest page.
@Suite struct DeletedPostsTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private let hour = Duration.seconds(3600)

  private func rows(_ sql: String) throws -> [String] {
    let reader = try SQLiteConnection(home.files.database, .reading)
    defer { reader.close() }
    return try reader.all(sql) { $0.isNull(0) ? "null" : $0.text(0) }
  }

  private func found(_ word: String) throws -> Int {
    Int(try rows("SELECT count(*) FROM search_0 WHERE search_0 MATCH '\"\(word)\"'")[0])!
  }

  private func numbers(_ database: AccountDatabase) throws -> [Int] {
    try database.newestPosts(10_000, of: .home).map { Int($0.mark.id.text)! }
  }

  private func page(_ numbers: [Int]) -> Page {
    Page(entries: numbers.map { entry($0) }, older: PageCursor("\(numbers.min()!)"))
  }

  /// Returns an archive with the posts 1 to 60.
  private func filled() throws -> AccountDatabase {
    let database = try home.database()
    try database.insert(StorageSQLiteTests.page(60, 1), as: .head)
    return database
  }

  /// Stores a newest page with the posts 60 to 21 except some and returns the posts to check.
  private func toCheck(
    _ database: AccountDatabase, without missing: Set<Int>, at now: Timestamp = noon
  ) throws -> [Int] {
    let page = page((21...60).filter { !missing.contains($0) })
    try database.insert(page, as: .head, at: now)
    return try database.postsToCheck(missingFrom: page, at: now).map { Int($0.id.text)! }
  }

  private func integrity() throws -> ArchiveIntegrity {
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    defer { reader.close() }
    return try reader.integrity()
  }

  /// Hides a post with two reports an hour apart.
  private func hide(_ number: Int, _ database: AccountDatabase, keeping retention: Retention = Retention()) throws {
    let mark = entry(number).mark
    #expect(try !database.note(.gone, of: mark, at: noon, keeping: retention))
    #expect(try database.note(.gone, of: mark, at: noon + hour, keeping: retention))
  }

  // MARK: Missing posts

  @Test("a post is missing if a page lacks it but contains posts below it; posts below the page are not checked")
  func missing() throws {
    let database = try filled()
    #expect(try toCheck(database, without: []) == [])
    #expect(try toCheck(database, without: [30]) == [30])
    #expect(try toCheck(database, without: [60, 40]) == [60, 40], "the newest post can be missing too")
    #expect(try toCheck(database, without: [21]) == [], "the page may have ended above the post")
  }

  @Test("at most five missing posts are checked after each page, newest first")
  func five() throws {
    #expect(try toCheck(filled(), without: [59, 57, 55, 53, 51, 49, 47]) == [59, 57, 55, 53, 51])
  }

  @Test("missing posts are checked only if at most a fifth of the page is missing")
  func fifth() throws {
    // 40 posts are stored, starting with post 21.
    #expect(try toCheck(filled(), without: Set(31...38)).count == 5)
    #expect(try toCheck(filled(), without: Set(31...39)) == [])
    #expect(try toCheck(filled(), without: Set(22...59)) == [])
  }

  @Test("an incomplete page does not prove that posts are missing")
  func partial() throws {
    let database = try filled()
    let newest = entry(60).mark
    let page = Page(
      entries: (21...60).filter { $0 != 30 }.map { entry($0) }, older: PageCursor("60"), stretch: newest...newest)
    #expect(try database.postsToCheck(missingFrom: page, at: noon) == [])
    #expect(try database.postsToCheck(missingFrom: Page(entries: [], older: nil), at: noon) == [])
  }

  @Test("if ids do not grow with time, a late old post does not make the posts above it count as missing")
  func lateArrival() throws {
    let database = try home.database()
    func timed(_ seconds: Int) -> Page.Entry {
      let id = String(repeating: "0", count: 32 - "\(seconds)".count) + "\(seconds)"
      let time = Timestamp(seconds: Int64(1_000_000 + seconds))
      let author = User(id: "1", screenName: "a", name: "A")
      return Page.Entry(
        post: Post(id: PostID(id), createdAt: time, author: author, text: "t \(seconds)"),
        key: TimedPosition(time, id: id).key,
        identity: PostIdentity(uri: "https://s.example/\(seconds)", isNamedByURL: true))
    }
    let all = (1...100).map { timed($0) }
    try database.insert(Page(entries: all, older: nil), as: .head)
    // Post 3 has just arrived. Of the other posts, the page contains 62 to 100 except 80.
    let shown = all.filter { $0.post.text == "t 3" } + all[61...].filter { $0.post.text != "t 80" }
    let page = Page(entries: shown, older: nil)
    try database.insert(page, as: .head)
    #expect(try database.postsToCheck(missingFrom: page, at: noon).map(\.id) == [timed(80).post.id])
  }

  // MARK: Responses about missing posts

  @Test("a post is hidden once it has been reported as gone twice, at least an hour apart")
  func second() throws {
    let database = try filled()
    let mark = entry(30).mark
    #expect(try !database.note(.gone, of: mark, at: noon))
    #expect(try toCheck(database, without: [30], at: noon + .seconds(3599)) == [])
    #expect(try !database.note(.gone, of: mark, at: noon + .seconds(3599)), "too early")
    #expect(try toCheck(database, without: [30], at: noon + hour * 2) == [30])
    #expect(try database.note(.gone, of: mark, at: noon + hour * 2))
    #expect(try !numbers(database).contains(30) && found("30") == 0)
    #expect(try toCheck(database, without: [30], at: noon + hour * 9) == [])
    #expect(try integrity() == ArchiveIntegrity(posts: 59, deleted: 1, problems: []))
    #expect(try database.countOfPosts() == 59 && rows("SELECT count(*) FROM deletion_checks") == ["0"])
  }

  @Test("once it has left the newest page, a post reported as gone is checked before other posts")
  func leftThePage() throws {
    let database = try filled()
    _ = try database.note(.gone, of: entry(10).mark, at: noon)
    #expect(try toCheck(database, without: [50], at: noon + hour) == [10, 50])
    #expect(try toCheck(database, without: Set(31...39), at: noon + hour) == [], "too many posts are missing")
  }

  @Test("a report that a post is gone is withdrawn once a page contains the post or the server returns it")
  func cleared() throws {
    let database = try filled()
    let mark = entry(30).mark
    for _ in 1...2 {
      _ = try database.note(.gone, of: mark, at: noon)
      _ = try toCheck(database, without: [], at: noon + .seconds(60))
      #expect(try !database.note(.gone, of: mark, at: noon + hour))
      #expect(try !database.note(.present, of: mark, at: noon + hour * 2))
      // The post is not checked for a day. After that, it is checked like a post without any report.
      #expect(try toCheck(database, without: [30], at: noon + hour * 25) == [])
      #expect(try toCheck(database, without: [30], at: noon + hour * 26) == [30])
      #expect(try !database.note(.gone, of: mark, at: noon + hour * 26))
      _ = try toCheck(database, without: [])
    }
  }

  @Test("an inconclusive response leaves the first report in place, and the post is checked again after an hour")
  func unknown() throws {
    let database = try filled()
    let mark = entry(30).mark
    _ = try database.note(.gone, of: mark, at: noon)
    #expect(try !database.note(.unknown, of: mark, at: noon + hour))
    #expect(try toCheck(database, without: [30], at: noon + hour + .seconds(60)) == [])
    #expect(try toCheck(database, without: [30], at: noon + hour * 2) == [30])
    #expect(try database.note(.gone, of: mark, at: noon + hour * 2))
    // The same goes for a post without a report.
    for step in 0...5 { #expect(try !database.note(.unknown, of: entry(31).mark, at: noon + hour * step)) }
    #expect(try numbers(database).contains(31))
  }

  @Test("times recorded while the clock was ahead do not delay a post's check or count as a report")
  func clock() throws {
    let database = try filled()
    let mark = entry(30).mark
    _ = try database.note(.gone, of: mark, at: noon + hour * 10_000)
    #expect(try toCheck(database, without: [30]) == [30])
    #expect(try !database.note(.gone, of: mark, at: noon))
    #expect(try database.note(.gone, of: mark, at: noon + hour))
  }

  // MARK: Hidden posts

  @Test("readers treat a hidden post as deleted, although its text and edits are kept")
  func hidden() throws {
    let database = try home.database()
    try database.insert(Page(entries: [entry(3), entry(2, text: "furst"), entry(1)], older: nil), as: .head)
    try database.insert(Page(entries: [entry(2, text: "first")], older: nil), as: .head, at: noon + .seconds(1))
    try hide(2, database)
    #expect(try numbers(database) == [3, 1] && found("first") == 0)
    #expect(try rows("SELECT coalesce(post, source, author) FROM posts WHERE id = '2'") == ["null"])
    #expect(try rows("SELECT json_extract(post, '$.text') FROM hidden") == ["first"])
    #expect(try rows("SELECT text FROM edits") == ["furst"])
    var lines: [String] = []
    try database.export { lines.append(String(decoding: $0.line, as: UTF8.self)) }
    #expect(lines.count == 3 && lines[1].contains("deleted_at") && !lines[1].contains("f"))
    #expect(try integrity().problems == [])
  }

  @Test("a hidden post reappears, with any later edit, once a page contains it, and is not new")
  func restored() throws {
    let database = try filled()
    try hide(30, database)
    let edited = Page(entries: [entry(31), entry(30, text: "post 30 edited"), entry(29)], older: nil)
    #expect(try database.insert(edited, as: .head, at: noon + hour * 5).isEmpty)
    #expect(try numbers(database) == Array((1...60).reversed()))
    #expect(try found("edited") == 1 && rows("SELECT text FROM edits") == ["post 30"])
    #expect(try rows("SELECT count(*) FROM hidden") == ["0"])
    #expect(try integrity() == ArchiveIntegrity(posts: 60, deleted: 0, problems: []))
    #expect(try database.countOfPosts() == 60)
  }

  @Test(
    "after erase_deleted_days, a deleted post's text and edits are erased, and the post does not reappear",
    arguments: [0, 2])
  func erased(days: Int) throws {
    let database = try home.database()
    try database.insert(Page(entries: [entry(3), entry(2, text: "furst"), entry(1)], older: nil), as: .head)
    try database.insert(Page(entries: [entry(2, text: "secret")], older: nil), as: .head)
    let retention = Retention(deletedDays: days)
    try hide(2, database, keeping: retention)
    #expect(try rows("SELECT count(*) FROM hidden") == [days == 0 ? "0" : "1"])
    let end = noon + hour + .seconds(86_400 * days)
    if days > 0 {
      try database.insert(Page(entries: [entry(3)], older: nil), as: .head, at: end - .seconds(1), keeping: retention)
      #expect(try rows("SELECT count(*) FROM hidden") == ["1"])
    }
    try database.insert(Page(entries: [entry(3)], older: nil), as: .head, at: end, keeping: retention)
    #expect(try rows("SELECT count(*) FROM hidden") == ["0"] && rows("SELECT count(*) FROM edits") == ["0"])
    try database.insert(Page(entries: [entry(2, text: "secret")], older: nil), as: .head, at: end)
    #expect(try numbers(database) == [3, 1])
    _ = try database.eraseTraces()
    let bytes = try File.read(home.files.database, limit: 1 << 24)
    for word in ["secret", "furst"] { #expect(bytes.firstRange(of: Array(word.utf8)) == nil) }
  }

  @Test(
    "a purge erases a hidden post's text, and the post does not reappear",
    arguments: [Purge.post(PostID("30")), .author("A"), .before(Timestamp(seconds: 40)), .everything])
  func purged(purge: Purge) throws {
    let database = try filled()
    try hide(30, database)
    let count = try database.count(of: purge).posts
    let removed = try database.purge(purge, at: noon + hour * 2).posts
    #expect(try rows("SELECT count(*) FROM hidden") == ["0"])
    switch purge {
    case .post: #expect(count == 1 && removed == 1)
    case .author: #expect(count == 60 && removed == 60)
    case .before, .everything: #expect(count == removed, "hidden posts are not counted")
    }
    try database.insert(StorageSQLiteTests.page(31, 29), as: .head, at: noon + hour * 3)
    #expect(try !numbers(database).contains(30))
    #expect(try integrity().problems == [])
  }

  @Test("keep_days removes a hidden post with its tombstone and text")
  func retention() throws {
    let database = try filled()
    try hide(30, database)
    _ = try database.note(.gone, of: entry(31).mark, at: noon)
    try database.insert(
      Page(entries: [], older: nil), as: .head, at: Timestamp(seconds: 86_400 + 50), keeping: Retention(days: 1))
    #expect(try numbers(database) == Array((50...60).reversed()))
    for table in ["hidden", "deletion_checks"] { #expect(try rows("SELECT count(*) FROM \(table)") == ["0"]) }
  }

  @Test("reading a version 4 database leaves it unchanged, and opening it for writing upgrades it with all its content")
  func older() throws {
    try filled().close()
    try makeVersion4(of: home.files.database)
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    #expect(try reader.integrity() == ArchiveIntegrity(posts: 60, deleted: 0, problems: []))
    #expect(try reader.spans(of: .home).all.count == 1 && reader.state() == AccountState(usualPosts: 800))
    reader.close()
    let database = try home.database()
    #expect(try numbers(database) == Array((1...60).reversed()))
    try database.divideSearch()
    #expect(try found("30") == 1)
    try hide(30, database)
    #expect(try integrity() == ArchiveIntegrity(posts: 59, deleted: 1, problems: []))
  }
}
