import Dispatch
import Folders
import Glibc
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@Suite struct AccountDatabaseTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func ids(_ database: AccountDatabase, _ count: Int = 100_000) throws -> [Int] {
    try database.newestPosts(count, of: .home).map { Int($0.mark.id.text)! }
  }

  private func numbers(_ spans: Spans) -> [[Int]] {
    spans.all.map { [Int($0.newest.id.text)!, Int($0.oldest.id.text)!] }
  }

  @Test("a new database is empty and offers no position to request posts from")
  func empty() throws {
    let database = try home.database()
    #expect(try database.countOfPosts() == 0)
    #expect(try database.spans(of: .home) == Spans())
    #expect(try database.state() == AccountState())
    #expect(try database.sincePosition(of: .home, overlap: .zero) == nil)
    #expect(database.damage?.aside == nil)
  }

  @Test("the database and the files next to it are private from the start")
  func modes() async {
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0)
      let home = StorageHome(path)
      let database = try home.database()
      try database.insert(page(3, 1), as: .head)
      let names = try Folder.names(in: home.files.dataFolder)
      #expect(names == ["timeline.db", "timeline.db-shm", "timeline.db-wal"])
      for name in names { #expect(try permissions("\(home.files.dataFolder)/\(name)") == 0o600) }
      #expect(try permissions(home.files.dataFolder) == 0o700)
    }
  }

  @Test("storing a page again changes nothing, except that a changed post is updated")
  func idempotent() throws {
    let database = try home.database()
    #expect(try database.insert(page(5, 1), as: .head) == 5)
    let before = (try database.newestPosts(10, of: .home), try database.spans(of: .home))
    #expect(try database.insert(page(5, 1), as: .head) == 0)
    #expect(try database.newestPosts(10, of: .home) == before.0)
    #expect(try database.spans(of: .home) == before.1)
    let edited = Page(entries: [entry(6), entry(5, text: "edited")], older: PageCursor("5"))
    #expect(try database.insert(edited, as: .head) == 1)
    let posts = try database.newestPosts(2, of: .home)
    #expect(posts.map(\.mark.id.text) == ["6", "5"])
    #expect(String(decoding: posts[1].json, as: UTF8.self).contains("\"edited\""))
  }

  @Test("posts are sorted newest first by key, regardless of the length of their ids")
  func order() throws {
    let database = try home.database()
    try database.insert(page(12, 8), as: .head)
    try database.insert(page(1002, 998), as: .head)
    #expect(try ids(database) == [1002, 1001, 1000, 999, 998, 12, 11, 10, 9, 8])
    #expect(try ids(database, 3) == [1002, 1001, 1000])
  }

  @Test("a page below a known range closes the gap once it reaches the next range")
  func gap() throws {
    let database = try home.database()
    try database.insert(page(10, 1), as: .head)
    try database.insert(page(30, 21), as: .head)
    #expect(numbers(try database.spans(of: .home)) == [[30, 21], [10, 1]])
    try database.insert(page(20, 9), as: .continuing(PageCursor("21")))
    #expect(numbers(try database.spans(of: .home)) == [[30, 1]])
    #expect(try ids(database) == Array((1...30).reversed()))
  }

  @Test("the stored state, ranges and posts are unchanged after the database is reopened", arguments: 1...8)
  func reopened(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let database = try home.database()
    var spans = Spans()
    var known: Set<Int> = []
    for _ in 0..<20 {
      let oldest = Int.random(in: 1...300, using: &generator)
      let page = page(oldest + Int.random(in: 0...10, using: &generator), oldest)
      if let cursor = spans.gaps.first?.cursor, Bool.random(using: &generator) {
        spans.insert(page, continuing: cursor)
        try database.insert(page, as: .continuing(cursor))
      } else {
        spans.insert(head: page)
        try database.insert(page, as: .head)
      }
      known.formUnion(page.entries.map { Int($0.post.id.text)! })
    }
    let state = AccountState(
      identity: ann, rateLimit: RateLimit(limit: 15, remaining: 0, reset: noon),
      timelines: [
        .home: TimelineState(
          refreshedAt: noon, nextRefreshAt: noon + .seconds(90), staleSince: noon - .milliseconds(1),
          problem: Problem(code: .rateLimited, message: "später", retryAt: noon), entityTag: "W/\"x\"")
      ])
    try database.update { $0 = state }
    #expect(try database.spans(of: .home) == spans)
    database.close()
    let again = try home.database()
    #expect(try again.spans(of: .home) == spans)
    #expect(try again.state() == state)
    #expect(try ids(again) == known.sorted(by: >))
    try again.update { $0 = AccountState(identity: ann) }
    #expect(try again.state() == AccountState(identity: ann))
  }

  @Test("requests start from a post older than the newest one by the overlap, within the newest known range")
  func sincePosition() throws {
    let database = try home.database()
    try database.insert(page(50, 1), as: .head)
    try database.insert(page(100, 81), as: .head)
    func since(_ overlap: Duration) throws -> String? {
      try database.sincePosition(of: .home, overlap: overlap)?.id.text
    }
    #expect(try since(.zero) == "100")
    #expect(try since(.seconds(5)) == "95")
    #expect(try since(.milliseconds(5001)) == "94")
    #expect(try since(.seconds(19)) == "81")
    // Post 50 is old enough, but the posts above it are unknown.
    #expect(try since(.seconds(20)) == "81")
    #expect(try since(.seconds(1000)) == "81")
  }

  @Test(
    "without an overlap, requests start from the newest known position, even if its post has been replaced")
  func sinceMarkOfAnotherVersion() throws {
    let database = try home.database()
    try database.insert(page(50, 1), as: .head)
    // Post 3 has a later version with the id 60. No post above that version is known.
    let stretch = entry(51).mark...entry(60).mark
    try database.insert(
      Page(entries: [entry(3, text: "edited"), entry(51)], older: nil, reaches: entry(50).mark, stretch: stretch),
      as: .head)
    #expect(try database.sincePosition(of: .home, overlap: .zero) == entry(60).mark)
    #expect(try database.spans(of: .home).gaps == [])
    #expect(try database.countOfPosts() == 51)
  }

  @Test("a server and a user's id identify an account, but names do not")
  func identity() {
    let renamed = AccountIdentity(server: ann.server, user: User(id: "42", screenName: "x", name: "X"))
    #expect(!ann.conflicts(with: renamed))
    #expect(
      ann.conflicts(with: AccountIdentity(server: ann.server, user: User(id: "43", screenName: "ann", name: "Ann"))))
    #expect(ann.conflicts(with: AccountIdentity(server: "https://other.test", user: ann.user)))
  }

  @Test("after a kill between two pages, stored posts and known ranges are consistent")
  func killedBetweenPages() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try StorageHome(path).database()
      try database.insert(page(10, 1), as: .head)
      try database.insert(page(30, 21), as: .head) { $0[.home].refreshedAt = noon }
      kill(getpid(), SIGKILL)
    }
    let database = try home.database()
    #expect(try ids(database) == Array(21...30).reversed() + Array(1...10).reversed())
    #expect(numbers(try database.spans(of: .home)) == [[30, 21], [10, 1]])
    #expect(try database.state()[.home].refreshedAt == noon)
  }

  @Test("after a kill while a page is being stored, no part of the page is stored")
  func killedWithinPage() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try StorageHome(path).database()
      try database.insert(page(10, 1), as: .head)
      try database.insert(page(30, 21), as: .head) { _ in kill(getpid(), SIGKILL) }
    }
    let database = try home.database()
    #expect(try ids(database) == Array((1...10).reversed()))
    #expect(numbers(try database.spans(of: .home)) == [[10, 1]])
    #expect(try database.insert(page(30, 21), as: .head) == 10)
  }

  @Test("a full disk leaves stored posts unchanged and the connection usable")
  func full() async throws {
    try home.database().insert(page(10, 1), as: .head)
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try StorageHome(path).database()
      try database.insert(page(12, 11), as: .head)
      limitFileSize(to: 100_000)
      let error = #expect(throws: StorageError.self) { try database.insert(page(5000, 1000), as: .head) }
      #expect(error?.kind == .inputOutput)
      #expect(error?.description.hasPrefix("\(StorageHome(path).files.database): ") == true)
      #expect(try database.countOfPosts() == 12)
      #expect(try database.spans(of: .home).all.count == 2)
    }
    #expect(try ids(try home.database()) == Array((1...12).reversed()))
  }

  @Test("A message about a full disk contains the SQL statement but no values")
  func fullWord() throws {
    try Folder.create(home.files.dataFolder)
    let connection = try SQLiteConnection(home.files.database, .writing)
    try connection.run("CREATE TABLE t (x BLOB)")
    try connection.run("PRAGMA max_page_count = 10")
    let error = #expect(throws: StorageError.self) {
      try connection.run("INSERT INTO t VALUES (?)", [.bytes([UInt8](repeating: 0x41, count: 1_000_000))])
    }
    #expect(error?.message.contains("full") == true)
    #expect(error?.description.contains("INSERT INTO t") == true)
    #expect(error?.description.contains("AAAA") == false)
  }

  @Test("a file that is not a database is set aside and replaced with a new database")
  func noDatabase() throws {
    try Folder.create(home.files.dataFolder)
    let content = Array("This is no database. ".utf8) + [UInt8](repeating: 7, count: 5000)
    try AtomicFile.write(content, to: home.files.database, .replaced)
    let database = try home.database()
    #expect(database.damage?.aside == "\(home.files.database).corrupt-20261120T120000Z")
    #expect(try File.read(database.damage!.aside, limit: 10_000) == content)
    #expect(try database.insert(page(3, 1), as: .head) == 3)
    database.close()
    #expect(try home.database().damage?.aside == nil)
  }

  @Test("another program's database is set aside")
  func foreign() throws {
    try Folder.create(home.files.dataFolder)
    let connection = try SQLiteConnection(home.files.database, .writing)
    try connection.run("CREATE TABLE bookmarks (x)")
    connection.close()
    #expect(try home.database().damage?.aside != nil)
  }

  @Test("opening a database that was not closed properly reveals corruption")
  func damaged() throws {
    try damage()
    // This write-ahead log has content, as a killed writer leaves it.
    try AtomicFile.write(Array("not closed".utf8), to: "\(home.files.database)-wal", .replaced)
    let database = try home.database()
    #expect(database.damage?.aside != nil)
    #expect(!database.damage!.salvaged.isComplete)
    #expect(try database.countOfPosts() == database.damage!.salvaged.posts)
  }

  @Test("corruption found while reading throws a separate kind of error, and the database can then be set aside")
  func damagedInUse() throws {
    try damage()
    let database = try home.database()
    let error = #expect(throws: StorageError.self) { try database.newestPosts(2000, of: .home) }
    #expect(error?.kind == .damaged)
    database.close()
    let aside = try AccountDatabase.setAsideDamaged(home.files, at: noon)
    #expect(File.exists(aside))
    #expect(try home.database().countOfPosts() == 0)
  }

  /// Overwrites pages in the middle of a database of 2000 posts.
  private func damage() throws {
    let database = try home.database()
    try database.insert(page(2000, 1), as: .head)
    database.close()
    var bytes = try File.read(home.files.database, limit: 10_000_000)
    #expect(bytes.count > 200_000)
    // Most of the file is overwritten, because the layout of tables varies. The first pages are kept, so that the file can be opened.
    for index in 160_000..<bytes.count { bytes[index] = 0xa5 }
    try AtomicFile.write(bytes, to: home.files.database, .replaced)
  }

  @Test("reading a version 1 database leaves it unchanged, and opening it for writing upgrades it with all its content")
  func older() throws {
    let path = home.files.database
    let first = try home.database()
    try first.insert(page(3, 1), as: .head) { $0.identity = ann }
    first.close()
    try makeOlder(path, version: 1)

    let reader = try #require(try AccountDatabase.openForReading(home.files))
    #expect(try reader.state() == AccountState(identity: ann, usualPosts: 800))
    reader.close()
    let owner = try home.database()
    #expect(try owner.countOfPosts() == 3)
    let failed = AccountState(identity: ann, askedAt: noon, timelines: [.home: TimelineState(failures: 2)])
    try owner.update { $0 = failed }
    _ = try owner.reserve(posts: 3, microUSD: 1, at: noon)
    #expect(try owner.state() == failed)
    owner.close()
    let upgraded = try #require(try AccountDatabase.openForReading(home.files))
    #expect(try upgraded.state() == failed && upgraded.spending().days.map(\.reservedPosts) == [3])
    #expect(try SQLiteConnection(path, .reading).first("PRAGMA user_version") { $0.amount(0) } == 8)
  }

  @Test("writers and readers refuse a database with a newer schema, name its number, and leave the file unchanged")
  func newer() throws {
    try home.database().close()
    let connection = try SQLiteConnection(home.files.database, .writing)
    try connection.run("PRAGMA user_version = 9")
    connection.close()
    let before = try File.read(home.files.database, limit: 1_000_000)
    for attempt in [{ _ = try home.database() }, { _ = try AccountDatabase.openForReading(home.files) }] {
      let error = #expect(throws: StorageError.self) { try attempt() }
      #expect(error?.kind == .newerVersion)
      #expect(error?.description.contains("schema 9") == true)
    }
    #expect(try File.read(home.files.database, limit: 1_000_000) == before)
    #expect(try Folder.names(in: home.files.dataFolder).filter { $0.contains("corrupt") } == [])
  }

  @Test("a reader of the database sees the writer's commits, and never waits for the writer")
  func reader() throws {
    #expect(try AccountDatabase.openForReading(home.files) == nil)
    let owner = try home.database()
    try owner.insert(page(3, 1), as: .head) { $0.identity = ann }
    let reader = try #require(try AccountDatabase.openForReading(home.files))
    try owner.insert(page(6, 4), as: .head) { _ in #expect((try? reader.countOfPosts()) == 3) }
    #expect(try reader.countOfPosts() == 6)
    #expect(try reader.state().identity == ann)
    #expect(throws: StorageError.self) { try reader.update { $0.identity = nil } }
  }

  @Test("a database can store ten thousand posts and finds the newest by walking the index")
  func many() throws {
    let database = try home.database()
    for number in stride(from: 10_000, to: 0, by: -200) {
      let home: PagePosition = number == 10_000 ? .head : .continuing(PageCursor(String(number + 1)))
      #expect(try database.insert(page(number, number - 199), as: home) == 200)
    }
    #expect(try database.countOfPosts() == 10_000)
    #expect(numbers(try database.spans(of: .home)) == [[10_000, 1]])
    #expect(try ids(database, 800) == Array((9201...10_000).reversed()))
    let plan = try SQLiteConnection(home.files.database, .reading)
      .all("EXPLAIN QUERY PLAN SELECT key, id, post FROM posts ORDER BY key DESC LIMIT 800") { $0.text(3) }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("USING INDEX") == true)
  }

  @Test("using a database outside the account's queue traps")
  func queue() async {
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let queue = DispatchQueue(label: "bird")
      queue.sync {
        let database = try? AccountDatabase.open(StorageHome(path).files, at: noon, queue: queue)
        #expect((try? database?.countOfPosts()) == 0)
      }
    }
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let queue = DispatchQueue(label: "bird")
      nonisolated(unsafe) var database: AccountDatabase?
      queue.sync { database = try? AccountDatabase.open(StorageHome(path).files, at: noon, queue: queue) }
      guard let database else { exit(0) }
      _ = try database.countOfPosts()
      exit(0)
    }
  }

  @Test("texts and byte sequences of any kind are read back unchanged")
  func values() throws {
    try Folder.create(home.files.dataFolder)
    let connection = try SQLiteConnection(home.files.database, .writing)
    for text in ["", "a\0b", "';--", "\u{1F426}"] {
      #expect(try connection.first("SELECT ?", [.text(text)], { $0.textOrNull(0) }) == text)
      #expect(try connection.first("SELECT ?", [.bytes(Array(text.utf8))], { $0.bytes(0) }) == Array(text.utf8))
    }
    #expect(try connection.first("SELECT ?", [.null], { $0.isNull(0) }) == true)
    #expect(try connection.first("SELECT ?", [.integer(.min)], { $0.integer(0, in: Int64.min...Int64.max) }) == .min)
  }

  @Test("triggers and views added to the database are never executed")
  func plantedProgram() throws {
    let database = try home.database()
    let other = try SQLiteConnection(home.files.database, .writing)
    try other.run("CREATE TRIGGER planted AFTER INSERT ON posts BEGIN DELETE FROM posts; END")
    try database.insert(page(2, 1), as: .head)
    #expect(try other.first("SELECT count(*) FROM posts") { $0.amount(0) } == 2)
    try other.run("ALTER TABLE days RENAME TO former")
    try other.run("CREATE VIEW days AS SELECT 1 AS day")
    let error = #expect(throws: StorageError.self) { try other.first("SELECT max(day) FROM days") { $0.amount(0) } }
    #expect(error?.message.contains("access to view") == true, "\(error?.description ?? "")")
  }
}
