import Folders
import Formats
import Platform
import PublishedFiles
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// What an archive stores for each post, and what it removes.
@Suite struct ArchiveTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func numbers(_ database: AccountDatabase) throws -> [Int] {
    try database.newestPosts(10_000, of: .home).map { Int($0.mark.id.text)! }
  }

  /// Returns the rows that a statement selects, with their columns joined.
  private func rows(_ sql: String) throws -> [String] {
    let reader = try SQLiteConnection(home.files.database, .reading)
    defer { reader.close() }
    return try reader.all(sql) { $0.isNull(0) ? "null" : $0.text(0) }
  }

  /// Returns how many posts the search index has for a word.
  private func found(_ word: String) throws -> Int {
    Int(try rows("SELECT count(*) FROM search_0 WHERE search_0 MATCH '\"\(word)\"'")[0])!
  }

  private func post(_ number: Int, _ text: String, by name: String = "ann", quoting quote: Post.Quote? = nil) -> Post {
    let author = User(
      id: "id-\(name)", screenName: name, name: name.uppercased(), avatarURL: "https://x.example/\(name).png")
    return Post(
      id: PostID("\(number)"), createdAt: Timestamp(seconds: Int64(number)), author: author, text: text, quoted: quote)
  }

  private func page(_ posts: Post...) -> Page {
    Page(
      entries: posts.map {
        Page.Entry(post: $0, key: PostKey(decimal: $0.id)!, source: Array(#"{"raw":\#($0.id)}"#.utf8)[...])
      },
      older: PageCursor(posts.last!.id.text))
  }

  @Test("a post is stored with its provider's JSON, its author and its search text")
  func kept() throws {
    let database = try home.database()
    try database.insert(page(post(2, "größer als Käse", by: "Zoé"), post(1, "plain")), as: .head)
    #expect(try rows("SELECT json_extract(source, '$.raw') FROM posts ORDER BY key") == ["1", "2"])
    #expect(
      try rows("SELECT json_extract(post, '$.text') FROM posts ORDER BY key DESC") == ["größer als Käse", "plain"])
    #expect(try rows("SELECT screen_name FROM authors ORDER BY id") == ["Zoé", "ann"])
    #expect(try found("kase") == 1 && found("plain") == 1 && found("nothing") == 0)
    #expect(try database.countOfPosts() == 2)
  }

  @Test("the most recently seen names of an author are stored, whatever older posts contain")
  func authors() throws {
    let database = try home.database()
    var renamed = post(2, "now")
    renamed.author = User(id: "id-ann", screenName: "anna", name: "Anna")
    try database.insert(page(renamed), as: .head, at: noon)
    try database.insert(page(post(1, "before")), as: .continuing(PageCursor("2")), at: noon - .seconds(60))
    #expect(try rows("SELECT screen_name FROM authors") == ["anna"])
  }

  @Test("editing a stored post keeps the earlier text and its time")
  func edits() throws {
    let database = try home.database()
    try database.insert(page(post(1, "furst")), as: .head)
    try database.insert(page(post(1, "first")), as: .head, at: noon + .seconds(60))
    var third = post(1, "first!")
    third.editedAt = noon + .seconds(100)
    try database.insert(page(third), as: .head, at: noon + .seconds(120))
    #expect(try rows("SELECT text FROM edits ORDER BY until") == ["furst", "first"])
    #expect(
      try rows("SELECT until FROM edits ORDER BY until")
        == [60, 100].map { "\((noon + .seconds($0)).milliseconds)" })
    #expect(try PostJSON.read(database.newestPosts(1, of: .home)[0].json).editedAt == noon + .seconds(100))
    #expect(try found("furst") == 0 && found("first") == 1)
  }

  @Test("the most recent counts of a post are stored, and a change in them is not an edit")
  func counts() throws {
    let database = try home.database()
    try database.insert(page(post(1, "a")), as: .head)
    try database.insert(page(post(1, "b")), as: .head)
    var liked = post(1, "b")
    liked.counts.likes = 7
    try database.insert(page(liked), as: .head, at: noon + .seconds(60))
    #expect(try rows("SELECT json_extract(post, '$.counts.likes') FROM posts") == ["7"])
    #expect(try rows("SELECT text FROM edits") == ["a"])
    #expect(try PostJSON.read(database.newestPosts(1, of: .home)[0].json).editedAt == noon)
  }

  @Test("a post reported as deleted leaves only a tombstone, and is not stored again")
  func deletions() throws {
    let database = try home.database()
    try database.insert(page(post(3, "c"), post(2, "secret", by: "bob"), post(1, "a")), as: .head)
    try database.insert(page(post(2, "secrets", by: "bob")), as: .head)
    let mark = PostPosition(id: PostID("2"), key: PostKey(decimal: PostID("2"))!)
    try database.insert(Page(entries: [], older: nil, deleted: [mark]), as: .head)
    #expect(try numbers(database) == [3, 1])
    #expect(
      try rows("SELECT coalesce(post, source, author, edited_at) FROM posts WHERE deleted_at IS NOT NULL") == ["null"])
    #expect(
      try rows("SELECT id || ' ' || created_at || ' ' || deleted_at FROM posts WHERE id = '2'")
        == ["2 2000 \(noon.milliseconds)"])
    #expect(try rows("SELECT count(*) FROM edits") == ["0"] && rows("SELECT id FROM authors") == ["id-ann"])
    #expect(try found("secrets") == 0 && database.countOfPosts() == 2)
    try database.insert(page(post(2, "secret", by: "bob")), as: .head)
    #expect(try numbers(database) == [3, 1])
  }

  @Test("stored posts are counted by hour of publication")
  func hours() throws {
    let database = try home.database()
    let old = Int(noon.seconds) - 167 * 3600
    try database.insert(
      page(post(Int(noon.seconds), "a"), post(Int(noon.seconds) - 60, "b"), post(old, "c"), post(old - 7200, "d")),
      as: .head)
    var expected = [Int](repeating: 0, count: 168)
    (expected[167], expected[166], expected[0]) = (1, 1, 1)
    #expect(try database.hoursOfWeek(at: noon) == expected)
    _ = try database.purge(.post(PostID("\(old)")), at: noon)
    expected[0] = 0
    #expect(try database.hoursOfWeek(at: noon) == expected)
  }

  @Test("a version 3 database is upgraded, with all derived data computed from its posts")
  func older() throws {
    var database = try home.database()
    try database.insert(page(post(2, "needle", by: "bob"), post(1, "hay")), as: .head)
    database.close()
    try makeOlder(home.files.database, version: 3)
    database = try home.database()
    #expect(try numbers(database) == [2, 1] && database.countOfPosts() == 2 && found("needle") == 1)
    #expect(try rows("SELECT author FROM posts ORDER BY key") == ["id-ann", "id-bob"])
    #expect(try rows("SELECT sum(posts) FROM hours") == ["2"])
    try database.insert(page(post(2, "edited", by: "bob")), as: .head)
    #expect(try found("needle") == 0)
  }

  // MARK: Retention

  @Test("without an archive, only the newest posts are kept, and no older posts are requested")
  func newest() throws {
    let database = try home.database()
    try database.insert(StorageSQLiteTests.page(50, 1), as: .head, keeping: Retention(newest: 20))
    #expect(try numbers(database) == Array((31...50).reversed()))
    #expect(try database.spans(of: .home).gaps == [] && database.spans(of: .home).bottom?.older == nil)
    try database.insert(StorageSQLiteTests.page(60, 49), as: .head, keeping: Retention(newest: 20))
    #expect(try numbers(database) == Array((41...60).reversed()) && database.countOfPosts() == 20)
  }

  @Test("after keep_days, posts are removed in portions, one with each page, and are not stored again")
  func days() throws {
    let database = try home.database()
    let day = 86_400
    let now = Timestamp(seconds: Int64(10 * day))
    try database.insert(page(post(9 * day, "new"), post(7 * day, "old"), post(6 * day, "older")), as: .head, at: now)
    let kept = Retention(days: 2)
    try database.insert(page(post(9 * day + 1, "newer"), post(9 * day, "new")), as: .head, at: now, keeping: kept)
    #expect(try numbers(database) == [9 * day + 1, 9 * day] && found("older") == 0)
    #expect(try database.spans(of: .home).bottom?.older == nil)
    try database.insert(page(post(7 * day, "old")), as: .continuing(PageCursor("x")), at: now, keeping: kept)
    #expect(try numbers(database) == [9 * day + 1, 9 * day])
  }

  @Test("posts below a gap are removed together with the gap")
  func cutting() {
    var spans = Spans()
    spans.insert(head: StorageSQLiteTests.page(10, 5))
    spans.insert(head: StorageSQLiteTests.page(30, 20))
    spans.cut(below: entry(25).mark)
    #expect(spans.all == [Span(newest: entry(30).mark, oldest: entry(25).mark, older: nil)])
  }

  // MARK: Purging

  @Test("a purge leaves none of the purged posts in any file")
  func purged() throws {
    let database = try home.database()
    let quote = Post.Quote(
      id: PostID("2"), createdAt: noon, author: User(id: "id-bob", screenName: "bob", name: "BOB"),
      text: "xylophonical",
      url: nil, media: [])
    for number in 10..<400 { try database.insert(page(post(number, "filler number \(number)")), as: .head) }
    try database.insert(
      page(post(4, "ordinary", quoting: quote), post(3, "stays"), post(2, "xylophonical words", by: "bob")), as: .head)
    let purged = try database.purge(.author("BOB"), at: noon)
    #expect(purged.posts == 1 && purged.quotes == 1 && purged.isLogCleared)
    #expect(purged.pictures.contains("https://x.example/bob.png"))
    for file in try Folder.names(in: home.files.dataFolder) {
      let bytes = try File.read("\(home.files.dataFolder)/\(file)", limit: 50_000_000)
      for word in ["xylophonical", "bob.png", "id-bob"] {
        #expect(!contains(bytes, Array(word.utf8)), "\(word) is still in \(file)")
      }
    }
    #expect(
      try PostJSON.read(database.newestPosts(1000, of: .home).first { $0.mark.id.text == "4" }!.json).quoted == nil)
    #expect(try found("stays") == 1 && numbers(database).count == 392)
  }

  private func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    guard bytes.count >= word.count else { return false }
    return bytes.indices.dropLast(word.count - 1).contains {
      bytes[$0] == word[0] && bytes[$0..<$0 + word.count].elementsEqual(word)
    }
  }

  @Test("posts purged by id or by author are not stored again")
  func staysAway() throws {
    let database = try home.database()
    let all = page(post(3, "c", by: "bob"), post(2, "b"), post(1, "a"))
    try database.insert(all, as: .head)
    #expect(try database.count(of: .post(PostID("2"))) == Purged(posts: 1))
    _ = try database.purge(.post(PostID("2")), at: noon)
    _ = try database.purge(.author("Bob"), at: noon)
    try database.insert(all, as: .head)
    #expect(try numbers(database) == [1])
    #expect(try database.purge(.post(PostID("2")), at: noon).posts == 0)
  }

  @Test("a purged post's text is not stored again when another post quotes it")
  func quotesStayAway() throws {
    let database = try home.database()
    let quote = Post.Quote(
      id: PostID("2"), createdAt: noon, author: User(id: "id-bob", screenName: "bob", name: "BOB"), text: "secret",
      url: nil, media: [])
    let all = page(post(4, "ordinary", quoting: quote), post(3, "his own", by: "bob", quoting: quote), post(1, "a"))
    try database.insert(all, as: .head)
    #expect(try database.count(of: .author("bob")) == Purged(posts: 1, quotes: 1))
    let purged = try database.purge(.author("bob"), at: noon)
    #expect(purged.posts == 1 && purged.quotes == 1)
    try database.insert(all, as: .head)
    try database.insert(page(post(5, "new", quoting: quote)), as: .head)
    #expect(try numbers(database) == [5, 4, 1] && found("secret") == 0)
    #expect(try rows("SELECT count(*) FROM posts WHERE post LIKE '%secret%' OR source LIKE '%secret%'") == ["0"])
  }

  @Test("after a purge by time, neither purged posts nor older ones are stored again")
  func before() throws {
    let database = try home.database()
    try database.insert(page(post(3, "c"), post(2, "b"), post(1, "a")), as: .head)
    let purged = try database.purge(.before(Timestamp(seconds: 3)), at: noon)
    #expect(purged.posts == 2)
    #expect(try database.spans(of: .home).bottom?.older == nil)
    try database.insert(page(post(4, "d"), post(3, "c"), post(2, "b")), as: .head)
    #expect(try numbers(database) == [4, 3])
    #expect(try rows("SELECT count(*) FROM posts") == ["2"])
  }

  @Test("after a purge of everything, only newer posts are requested and stored")
  func everything() throws {
    let database = try home.database()
    try database.insert(page(post(3, "c"), post(2, "b"), post(1, "a")), as: .head)
    let purged = try database.purge(.everything, at: noon)
    #expect(purged.posts == 3)
    #expect(try numbers(database) == [] && database.countOfPosts() == 0)
    #expect(try database.sincePosition(of: .home, overlap: .seconds(10))?.id == PostID("3"))
    #expect(try database.spans(of: .home).bottom?.older == nil)
    try database.insert(page(post(Int(noon.seconds) + 1, "new"), post(3, "c")), as: .head, at: noon + .seconds(5))
    #expect(try numbers(database) == [Int(noon.seconds) + 1])
  }

  // MARK: Read position and gaps

  @Test("the read position is stored, and newer posts count as unread")
  func marks() throws {
    let database = try home.database()
    try database.insert(StorageSQLiteTests.page(5, 1), as: .head)
    let mark = try database.positions(of: PostID("3"), in: .home).first
    try database.update { $0[.home].readUpTo = mark }
    #expect(try database.state()[.home].readUpTo == entry(3).mark)
    #expect(
      try database.posts(of: .home, below: nil, atMost: 1).first?.mark == entry(5).mark
        && database.positions(of: PostID("77"), in: .home) == [])
    _ = try database.purge(.post(PostID("3")), at: noon)
    try TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 10).publishAll(
      from: database)
    let head = try TimelineFile.read(File.read(home.files.timeline, limit: 100_000)).head
    #expect(head.unread == 2 && head.readUpTo == PostID("2"))
  }

  @Test("imported posts do not count as fetched, and a gap is reported above them")
  func strays() throws {
    let database = try home.database()
    try database.insert(StorageSQLiteTests.page(30, 21), as: .head)
    try database.insert(Page(entries: [], older: nil), as: .head)
    #expect(try database.countOfFetchedPosts(of: .home, upTo: 100) == 10)
    #expect(try database.countOfFetchedPosts(of: .home, upTo: 5) == 5)
    #expect(try database.gaps(of: .home, downTo: entry(21).mark) == [])
  }
}
