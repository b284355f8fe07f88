import Folders
import Glibc
import Platform
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Storage

@Suite struct SalvageTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private static let count = 780
  private static let pageSize = 1024

  /// Creates a closed database of 780 posts, including an edited and a deleted one, with all kinds of account data.
  private func fill() throws {
    try Folder.create(home.files.dataFolder)
    try write(Self.filled.get())
  }

  /// The database file, created once for all tests.
  private static let filled = Result { try make() }

  private static func make() throws -> [UInt8] {
    let home = StorageHome(TemporaryFolder())
    let database = try home.database()
    let entries = (1...count).map { number in
      let entry = entry(number, text: "post \(number) " + String(repeating: "word ", count: number % 90))
      return Page.Entry(post: entry.post, key: entry.key, source: Array("{\"n\":\(number)}".utf8)[...])
    }
    let reservation = try database.reserve(posts: 5, microUSD: 500, at: noon)
    #expect(reservation.posts == 5)
    try database.insert(Page(entries: entries, older: PageCursor("1")), as: .head) { state in
      state.identity = AccountIdentity(
        server: "https://api.example.org", user: User(id: "9", screenName: "bird", name: "Bird"))
      state[.home].entityTag = "\"tag\""
      state.keepsFrom = Timestamp(seconds: 1)
    }
    let edited = Page(entries: [entry(700, text: "another text")], older: nil, deleted: [entry(500).mark])
    try database.insert(edited, as: .head)
    _ = try database.eraseTraces()
    database.close()
    return try File.read(home.files.database, limit: 64 << 20)
  }

  private func read() throws -> [UInt8] { try File.read(home.files.database, limit: 64 << 20) }
  private func write(_ bytes: [UInt8]) throws { try AtomicFile.write(bytes, to: home.files.database, .replaced) }

  /// Opens the database as if its writer had been interrupted, so that it is checked.
  private func open() throws -> AccountDatabase {
    try AtomicFile.write([0], to: "\(home.files.database)-wal", .replaced)
    return try home.database()
  }

  private func expectSound(_ database: AccountDatabase) throws {
    let integrity = try database.integrity()
    #expect(integrity.problems == [])
    #expect(integrity.posts == database.damage!.salvaged.posts)
    #expect(integrity.deleted == database.damage!.salvaged.deleted)
  }

  @Test("a corrupt index loses no posts, and the recovered database is complete")
  func indexAlone() throws {
    try fill()
    let before = try home.database()
    let posts = try before.newestPosts(1000, of: .home)
    let spans = try before.spans(of: .home)
    let state = try before.state()
    let spending = try before.spending()
    before.close()
    // This is the root page of the index on times. No post is read through it.
    let root = try sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'posts_by_time'")
    var bytes = try read()
    bytes.replaceSubrange(
      Self.pageSize * (root - 1)..<Self.pageSize * root, with: repeatElement(0xa5, count: Self.pageSize))
    try write(bytes)
    let database = try open()
    #expect(database.damage?.aside != nil)
    #expect(database.damage!.salvaged == Salvaged(posts: 779, deleted: 1, isComplete: true))
    #expect(try database.newestPosts(1000, of: .home) == posts)
    #expect(try database.spans(of: .home) == spans)
    #expect(try database.state() == state)
    #expect(try database.spending() == spending)
    #expect("\(database.damage!.salvaged)" == "779 posts were recovered")
    try expectSound(database)
    var exported: [ArchivedPost] = []
    try database.export { exported.append($0) }
    #expect(exported.first { $0.mark == entry(700).mark }?.edits.count == 1)
    #expect(exported.first { $0.mark == entry(500).mark }?.deletedAt == noon)
    #expect(exported.first.map { String(decoding: $0.source, as: UTF8.self) } == "{\"n\":780}")
    #expect(try database.search(SearchQuery("another"), limit: 5).map(\.mark) == [entry(700).mark])
  }

  private func sqlite(_ sql: String) throws -> Int {
    let connection = try SQLiteConnection(home.files.database, .reading)
    defer { connection.close() }
    return try Int(#require(connection.first(sql) { $0.amount(0) }))
  }

  @Test("randomly overwritten pages of a database lose only their own posts", arguments: 0..<12)
  func randomPages(seed: UInt64) throws {
    try fill()
    var random = SeededGenerator(seed: seed)
    var bytes = try read()
    let pages = bytes.count / Self.pageSize
    for _ in 0...Int(seed % 5) {
      let start = Int.random(in: 1..<pages, using: &random) * Self.pageSize
      let length = seed % 2 == 0 ? Self.pageSize : Int.random(in: 1...200, using: &random)
      for offset in 0..<length { bytes[start + offset] = UInt8.random(in: 0...255, using: &random) }
    }
    try write(bytes)
    let database = try open()
    if database.damage?.aside == nil { return }
    #expect(database.damage!.salvaged.posts <= Self.count)
    try expectSound(database)
    for post in try database.newestPosts(1000, of: .home) {
      #expect(String(decoding: post.json, as: UTF8.self).contains("\"id\":\"\(post.mark.id.text)\""))
    }
    if !database.damage!.salvaged.isComplete {
      #expect(try database.spans(of: .home) == Spans())
      #expect(try database.state()[.home].entityTag == nil)
    }
  }

  @Test("a corrupt leaf page loses only its own posts, and no known range is treated as complete")
  func oneLeaf() throws {
    try fill()
    let root = try sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'posts'")
    var bytes = try read()
    // A table's interior page has the type 5, and a leaf page the type 13 (sqlite.org/fileformat2.html#b_tree_pages). The
    // first cell of an interior page begins with the number of its first child.
    var child = root
    while bytes[Self.pageSize * (child - 1)] == 5 {
      let page = Self.pageSize * (child - 1)
      let cell = page + Int(bytes[page + 12]) << 8 + Int(bytes[page + 13])
      child = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(child != root && bytes[Self.pageSize * (child - 1)] == 13)
    let rows = Int(bytes[Self.pageSize * (child - 1) + 3]) << 8 + Int(bytes[Self.pageSize * (child - 1) + 4])
    bytes.replaceSubrange(
      Self.pageSize * (child - 1)..<Self.pageSize * child, with: repeatElement(0xff, count: Self.pageSize))
    try write(bytes)
    let database = try open()
    #expect(!database.damage!.salvaged.isComplete)
    #expect(database.damage!.salvaged.posts + database.damage!.salvaged.deleted == Self.count - rows)
    #expect(try database.spans(of: .home) == Spans())
    #expect(try database.state().identity?.user.id == "9")
    #expect(try database.state()[.home].entityTag == nil)
    #expect(try database.state().keepsFrom == Timestamp(seconds: 1))
    #expect(try database.spending().days.count == 1)
    #expect("\(database.damage!.salvaged)".hasSuffix("posts were recovered, missing posts will be fetched again"))
    try expectSound(database)
  }

  @Test(
    "the remaining posts in a truncated database are recovered, wherever it was cut off", arguments: [1, 2, 3, 5, 8, 9])
  func truncated(tenths: Int) throws {
    try fill()
    let bytes = try read()
    try write(Array(bytes.prefix(bytes.count * tenths / 10)))
    let database = try open()
    #expect(database.damage?.aside != nil)
    #expect(!database.damage!.salvaged.isComplete || database.damage!.salvaged.posts == 779)
    try expectSound(database)
  }

  @Test(
    "a database without a header or with random content is replaced with a new one",
    arguments: [true, false])
  func noHeader(isNoise: Bool) throws {
    try fill()
    var bytes = try read()
    var random = SeededGenerator(seed: 7)
    if isNoise {
      bytes = (0..<bytes.count).map { _ in UInt8.random(in: 0...255, using: &random) }
    } else {
      bytes.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
    }
    try write(bytes)
    let database = try home.database()
    #expect(database.damage?.aside != nil)
    #expect(database.damage!.salvaged == Salvaged())
    #expect(try File.read(#require(database.damage?.aside), limit: 64 << 20) == bytes)
    try database.insert(page(3, 1), as: .head)
    #expect(try database.countOfPosts() == 3)
  }

  @Test("a large hole in a database is skipped quickly, and the posts after it are recovered")
  func interiorPage() throws {
    let database = try home.database()
    for step in 0..<10 {
      let entries = (1...1000).map { entry(step * 1000 + $0, text: String(repeating: "x", count: 900)) }
      try database.insert(Page(entries: entries, older: nil), as: .head)
    }
    _ = try database.eraseTraces()
    database.close()
    let root = try sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'posts'")
    var bytes = try read()
    let page = Self.pageSize * (root - 1)
    let cells = Int(bytes[page + 3]) << 8 + Int(bytes[page + 4])
    #expect(cells > 1)
    // A complete interior page from the middle of the table, below the root.
    let pointer = page + 12 + cells / 2 * 2
    let cell = page + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
    let child = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
    #expect(bytes[Self.pageSize * (child - 1)] == 5)
    bytes.replaceSubrange(
      Self.pageSize * (child - 1)..<Self.pageSize * child, with: repeatElement(0, count: Self.pageSize))
    try write(bytes)
    let salvaged = try open()
    #expect(!salvaged.damage!.salvaged.isComplete)
    #expect((1000..<10_000).contains(salvaged.damage!.salvaged.posts))
    #expect(try salvaged.newestPosts(1, of: .home).first?.mark == entry(10_000).mark)
    #expect(try salvaged.posts(of: .home, below: PostKey("01.2"), atMost: 1).first?.mark == entry(1).mark)
  }

  @Test("a database from an earlier version can also be recovered")
  func older() throws {
    try fill()
    // Earlier versions had no tombstones.
    let current = try SQLiteConnection(home.files.database, .writing)
    try current.run("DELETE FROM posts WHERE post IS NULL")
    current.close()
    try makeOlder(home.files.database, version: 3)
    var bytes = try read()
    let root = try sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_posts_1'")
    bytes.replaceSubrange(
      Self.pageSize * (root - 1)..<Self.pageSize * root, with: repeatElement(0xff, count: Self.pageSize))
    try write(bytes)
    let database = try open()
    #expect(database.damage?.aside != nil)
    #expect(database.damage!.salvaged == Salvaged(posts: 779, deleted: 0, isComplete: true))
    #expect(try database.spending().days.count == 1)
    #expect(try !database.spans(of: .home).all.isEmpty)
    try expectSound(database)
  }
}
