import Folders
import Glibc
import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import StorageSQLite

/// The tables of timelines other than home, and files that have them or not.
@Suite struct OtherTimelineTablesTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private static let list = try! TimelineName("list:Friends")
  private static let bookmarks = try! TimelineName("bookmarks")
  private static let notifications = try! TimelineName("notifications")

  private func insert(
    _ page: Page, _ timeline: TimelineName, into database: AccountDatabase, keeping retention: Retention = Retention(),
    state change: (inout AccountState) -> Void = { _ in }
  ) throws {
    var state = try database.state()
    change(&state)
    let write = PageWrite(
      page, of: timeline, as: .head, receivedAt: noon, keeping: retention, state: state, defersQuietState: true)
    _ = try database.insert(write, expecting: database.revision())
  }

  private func ids(_ database: AccountDatabase, _ timeline: TimelineName) throws -> [Int] {
    try database.newestPosts(1000, of: timeline).map { Int($0.mark.id.text)! }
  }

  private func tables() throws -> Set<String> {
    let connection = try SQLiteConnection(home.files.database, .reading)
    defer { connection.close() }
    return Set(try connection.all("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'") { $0.text(0) })
  }

  @Test("the first write of another timeline creates its tables; an account with home alone has none")
  func lazy() throws {
    let database = try home.database()
    try database.insert(page(20, 1), as: .head, keeping: Retention(newest: 10)) { $0[.home].failures = 1 }
    let before = try tables()
    #expect(before.isDisjoint(with: ["timelines", "entries", "other_spans", "home_by_time"]))
    try insert(page(20, 11), Self.list, into: database)
    #expect(
      try tables().subtracting(before)
        == ["timelines", "kind_limits", "entries", "other_spans", "entries_by_row", "entries_by_time", "home_by_time"])
  }

  @Test("a refused first write leaves no tables, and the next one creates them")
  func refused() throws {
    let database = try home.database()
    let write = PageWrite(page(3, 1), of: Self.list, as: .head, receivedAt: noon)
    #expect(throws: StorageError.self) { try database.insert(write, expecting: Revision(1000)) }
    #expect(try tables().isDisjoint(with: ["timelines"]))
    #expect(try database.timelines().count == 1)
    try insert(page(3, 1), Self.list, into: database)
    #expect(try ids(database, Self.list) == [3, 2, 1])
  }

  @Test("a reader that was open before sees another timeline as soon as the owner has stored it")
  func reader() throws {
    let database = try home.database()
    try database.insert(page(3, 1), as: .head)
    let reader = try #require(try AccountDatabase.openForReading(home.files))
    defer { reader.close() }
    #expect(try ids(reader, Self.list) == [] && reader.state()[Self.list] == TimelineState())
    try insert(page(5, 2), Self.list, into: database) { $0[Self.list].reference = "7" }
    #expect(try ids(reader, Self.list) == [5, 4, 3, 2] && ids(reader, .home) == [3, 2, 1])
    #expect(try reader.state()[Self.list].reference == "7")
    #expect(try reader.search(SearchQuery("post"), limit: 10).map(\.mark.id.text) == ["5", "4", "3", "2", "1"])
  }

  @Test("if another process creates the tables, the owner notices it at its next write")
  func written() throws {
    let database = try home.database()
    try database.insert(page(3, 1), as: .head)
    let other = try AccountDatabase.open(home.files, at: noon, wasClosedWell: true)
    try insert(page(5, 3), Self.list, into: other)
    other.close(inHaste: true)
    // The post is in the list already, so this is not a second copy.
    try database.insert(page(5, 4), as: .head)
    #expect(try ids(database, .home) == [5, 4, 3, 2, 1] && ids(database, Self.list) == [5, 4, 3])
    #expect(try database.integrity().problems == [])
  }

  @Test("a page of another timeline is one transaction, and one that brings nothing writes nothing")
  func transactions() throws {
    let database = try home.database()
    try database.insert(page(30, 1), as: .head)
    try insert(page(20, 10), Self.list, into: database)
    database.close()
    let again = try home.database()
    func commits() throws -> Int {
      let log = try File.read("\(home.files.database)-wal", limit: 100_000_000)
      return log.isEmpty ? 0 : try #require(WALFrames(log)).commits
    }
    for _ in 0..<3 { try insert(page(20, 10), Self.list, into: again) { $0[Self.list].refreshedAt = noon } }
    #expect(try commits() == 0)
    try insert(page(40, 15), Self.list, into: again, keeping: Retention(newest: 10)) { $0[Self.list].failures = 2 }
    #expect(try commits() == 1)
    #expect(try again.newestPosts(100, of: Self.list).count == 10)
  }

  /// Returns a like of each post from one number down to another.
  private func likes(_ newest: Int, _ oldest: Int) -> Page {
    let entries = (oldest...newest).map { number in
      let actor = User(id: "eve", screenName: "eve", name: "Eve")
      let notice = Notice(id: PostID(String(7000 + number)), kind: "favourite", actors: [actor], at: noon)
      return entry(number).noticed(notice, at: PostKey(decimal: notice.id)!)
    }
    return Page(entries: entries, older: nil)
  }

  @Test("a page of events that brings nothing writes nothing")
  func knownEvents() throws {
    let database = try home.database()
    try insert(likes(20, 10), Self.notifications, into: database)
    database.close()
    let again = try home.database()
    for _ in 0..<3 {
      try insert(likes(20, 10), Self.notifications, into: again) { $0[Self.notifications].refreshedAt = noon }
    }
    #expect(try File.read("\(home.files.database)-wal", limit: 100_000_000).isEmpty)
    #expect(try ids(again, Self.notifications).first == 7020)
  }

  @Test("a version 7 database is upgraded without changing a page except the first", arguments: [7, 6])
  func upgrade(version: Int64) throws {
    let database = try home.database()
    try database.insert(page(300, 1), as: .head) { $0.keepsFrom = Timestamp(seconds: 0) }
    _ = try database.note(.gone, of: entry(7).mark, at: noon)
    database.close()
    let older = try SQLiteConnection(home.files.database, .writing)
    if version == 6 { try makeVersion6(of: older) }
    try older.run("PRAGMA user_version = \(version)")
    older.close()
    let reader = try #require(try AccountDatabase.openForReading(home.files))
    #expect(try ids(reader, .home).count == 300 && ids(reader, Self.list) == [])
    reader.close()
    let before = try File.read(home.files.database, limit: 10_000_000)
    let upgraded = try home.database()
    #expect(try ids(upgraded, .home).count == 300)
    upgraded.close()
    let after = try File.read(home.files.database, limit: 10_000_000)
    let size = DatabaseSchema.pageSize
    if version == 7 { #expect(after.count == before.count && after[size...] == before[size...]) }
    let again = try home.database()
    try insert(page(310, 290), Self.list, into: again)
    #expect(try ids(again, Self.list).count == 21 && again.integrity().problems == [])
  }

  @Test("if the process is killed while it upgrades or creates tables, nothing is lost and nothing is half done")
  func killed() async throws {
    let path = folder.path
    let files = home.files
    try await prepare(version: 7)
    // The upgrade of the file, then the creation of the tables, each killed before its commit.
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let connection = try SQLiteConnection(StorageHome(path).files.database, .writing)
      try connection.transaction { () throws(StorageError) in
        try connection.run(DatabaseSchema.statementOfVersion)
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try SQLiteConnection(files.database, .reading).first("PRAGMA user_version") { $0.amount(0) } == 7)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try StorageHome(path).database()
      _ = try database.write(expecting: database.revision()) { () throws(StorageError) in
        _ = try database.newNumber(of: OtherTimelineTablesTests.list)
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try SQLiteConnection(files.database, .reading).first("PRAGMA user_version") { $0.amount(0) } == 8)
    let database = try home.database()
    #expect(database.damage == nil)
    #expect(try database.timelines().count == 1 && ids(database, .home).count == 30)
    try insert(page(40, 20), Self.list, into: database)
    #expect(try ids(database, Self.list).count == 21 && database.integrity().problems == [])
  }

  private func prepare(version: Int64) async throws {
    let database = try home.database()
    try database.insert(page(30, 1), as: .head)
    database.close()
    let older = try SQLiteConnection(home.files.database, .writing)
    try older.run("PRAGMA user_version = \(version)")
    older.close()
  }

  @Test("home's queries read no post that only other timelines contain")
  func plans() throws {
    let database = try home.database()
    try insert(page(30, 1), Self.list, into: database)
    func plan(_ sql: String, _ values: [SQLiteValue]) throws -> String {
      try database.connection.all("EXPLAIN QUERY PLAN \(sql)", values) { $0.text(3) }.joined(separator: "; ")
    }
    let newest = try plan(TimelineRows.home.selectPosts, [.text("!"), .text("~"), .integer(10)])
    #expect(newest.contains("key>? AND key<?") && !newest.contains("TEMP B-TREE"), "\(newest)")
    let old = try plan(
      "SELECT \(PostTable.columns) FROM posts WHERE created_at < ? AND \(StoredKey.isHome) ORDER BY created_at LIMIT 500",
      [.integer(0)])
    #expect(old.contains("home_by_time (created_at<?)") && !old.contains("TEMP B-TREE"), "\(old)")
    let rows = TimelineRows(number: 1)
    let entries = try plan(rows.selectPosts, rows.values + [.text("!"), .text("~"), .integer(10)])
    #expect(entries.contains("timeline=? AND key>? AND key<?") && !entries.contains("TEMP B-TREE"), "\(entries)")
    #expect(!entries.contains("SCAN"), "\(entries)")
  }

  @Test("a page by time reads no other posts than its own, with and without other timelines")
  func plansByTime() throws {
    let database = try home.database()
    try database.insert(page(30, 1), as: .head)
    func plan(_ rows: TimelineRows) throws -> String {
      let values = rows.values + [.integer(0), .integer(0), .text("~"), .integer(10)]
      return try database.connection.all("EXPLAIN QUERY PLAN \(rows.selectBefore)", values) { $0.text(3) }
        .joined(separator: "; ")
    }
    // Posts of the same time are sorted by key.
    let ofHome = "(created_at<?); USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"
    #expect(try plan(.home) == "SEARCH posts USING INDEX posts_by_time \(ofHome)")
    try insert(page(30, 1), Self.list, into: database)
    #expect(try plan(.home) == "SEARCH posts USING INDEX home_by_time \(ofHome)")
    let entries = try plan(TimelineRows(number: 1))
    #expect(entries.contains("entries_by_time (timeline=? AND at<?)") && !entries.contains("TEMP B-TREE"), "\(entries)")
  }

  @Test("whether the tables exist is asked without reading the definitions of all tables")
  func existence() throws {
    let owner = try home.database()
    let reader = try SQLiteConnection(home.files.database, .reading)
    defer { reader.close() }
    let steps = try reader.all("EXPLAIN \(OtherTimelineTables.existence)") { $0.text(1) }
    #expect(!steps.isEmpty && !steps.contains("Next"), "\(steps)")
    #expect(try !OtherTimelineTables.exist(in: reader))
    try insert(page(20, 11), Self.list, into: owner)
    #expect(try OtherTimelineTables.exist(in: reader))
  }

  @Test("the posts of some ids that a timeline contains are found")
  func idsInTimeline() throws {
    let database = try home.database()
    try database.insert(page(30, 1), as: .head)
    let wanted = Set([5, 12, 15, 40].map { PostID(String($0)) })
    #expect(try database.ids(wanted, in: .bookmarks) == [])
    try insert(page(40, 11), Self.bookmarks, into: database)
    try insert(page(12, 1), Self.list, into: database)
    #expect(try database.ids(wanted, in: .bookmarks) == Set([12, 15, 40].map { PostID(String($0)) }))
    #expect(try database.ids(wanted, in: .likes) == [])
    let plan = try database.connection.all(
      "EXPLAIN QUERY PLAN \(AccountDatabase.selectEntryOfPost)", [.text("1"), .integer(1)]
    ) { $0.text(3) }
    #expect(!plan.contains { $0.contains("SCAN") } && plan.contains { $0.contains("entries_by_row") }, "\(plan)")
  }

  // MARK: Damage

  /// Stores posts in home, in a list and in private bookmarks, and closes the database.
  private func fill() throws -> (home: [KnownPost], list: [KnownPost], bookmarks: [KnownPost], state: AccountState) {
    let database = try home.database()
    try database.insert(page(200, 101), as: .head)
    try insert(page(220, 151), Self.list, into: database) { $0[Self.list].reference = "7" }
    try insert(page(400, 301), Self.bookmarks, into: database) { $0[Self.bookmarks].readUpTo = entry(390).mark }
    defer { database.close() }
    return try (
      database.newestPosts(1000, of: .home), database.newestPosts(1000, of: Self.list),
      database.newestPosts(1000, of: Self.bookmarks), database.state()
    )
  }

  private func salvaged() throws -> AccountDatabase {
    try Folder.create(home.files.dataFolder)
    let aside = home.files.database + ".aside"
    try File.rename(home.files.database, to: aside)
    let database = try home.database()
    let result = database.salvage(from: aside)
    database.damage = StorageDamage(aside: aside, salvaged: result)
    return database
  }

  @Test("a recovered database has the posts, positions, spans and states of every timeline")
  func recovered() throws {
    let before = try fill()
    let database = try salvaged()
    #expect(database.damage?.salvaged == Salvaged(posts: 220, deleted: 0, isComplete: true))
    #expect(try database.newestPosts(1000, of: .home) == before.home)
    #expect(try database.newestPosts(1000, of: Self.list) == before.list)
    #expect(try database.newestPosts(1000, of: Self.bookmarks) == before.bookmarks)
    #expect(try database.state() == before.state)
    #expect(try database.spans(of: Self.list).top?.newest == entry(220).mark)
    #expect(try database.spans(of: Self.bookmarks).top?.oldest == entry(301).mark)
    #expect(try database.integrity().problems == [])
  }

  @Test("a recovered database has every event, and a check names those that cannot be read")
  func recoveredEvents() throws {
    let database = try home.database()
    try insert(likes(220, 101), Self.notifications, into: database)
    let eve = User(id: "eve", screenName: "eve", name: "Eve")
    let follows = [9001, 9002].map { number in
      let notice = Notice(id: PostID(String(number)), kind: "follow", actors: [eve], at: noon)
      return Page.Entry(post: Post(event: notice), key: PostKey(decimal: notice.id)!)
    }
    try insert(Page(entries: follows, older: nil), Self.notifications, into: database)
    let before = try database.newestPosts(1000, of: Self.notifications)
    #expect(before.count == 122)
    database.close()
    let recovered = try salvaged()
    #expect(recovered.damage?.salvaged == Salvaged(posts: 120, deleted: 0, isComplete: true))
    #expect(try recovered.newestPosts(1000, of: Self.notifications) == before)
    #expect(try recovered.integrity().problems == [])
    recovered.close()
    let connection = try SQLiteConnection(home.files.database, .writing)
    try connection.run("UPDATE entries SET notice = '{' WHERE id IN ('9001', '7101')")
    connection.close()
    #expect(try home.database().integrity().problems == ["2 notifications cannot be read"])
  }

  @Test("a post whose timelines cannot be recovered does not move to home", arguments: ["timelines", "entries"])
  func notInHome(table: String) throws {
    let before = try fill()
    let connection = try SQLiteConnection(home.files.database, .writing)
    try connection.run("PRAGMA foreign_keys = OFF")
    try connection.run("DELETE FROM \(table)")
    connection.close()
    let database = try salvaged()
    #expect(try database.newestPosts(1000, of: .home) == before.home)
    #expect(try database.search(SearchQuery("post"), in: .everything, limit: 1000).count == before.home.count)
    #expect(try database.integrity().problems == [])
  }

  @Test("a check names posts without a timeline, and entries without a post")
  func problems() throws {
    _ = try fill()
    let connection = try SQLiteConnection(home.files.database, .writing)
    try connection.run("DELETE FROM entries WHERE key > ?", [.text(entry(398).key.text)])
    try connection.run("PRAGMA foreign_keys = OFF")
    try connection.run("DELETE FROM posts WHERE id = '210'")
    try connection.run("UPDATE other_spans SET oldest_key = '~' WHERE timeline = 1")
    connection.close()
    let problems = try home.database().integrity().problems
    #expect(problems.contains("2 posts are in no timeline"))
    #expect(problems.contains("1 spans of other timelines end before they begin"))
    #expect(problems.contains("a row of entries has no post"))
  }
}
