import Folders
import Formats
import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import StorageSQLite

/// Purges of archives whose search index has several parts: portions, interruptions, and the version 4 index.
@Suite struct PurgeTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  /// Returns an archive with the given number of posts. Every hundredth post has a unique word and a different author.
  /// In post 5000, that word begins differently from all others, because the index stores only how a word differs from
  /// the previous one.
  private func archive(of count: Int) throws -> AccountDatabase {
    let database = try home.database()
    let posts = (1...count).map { number in
      ImportedPost(post(number), key: PostKey(decimal: PostID("\(number)"))!)
    }
    for begin in stride(from: 0, to: count, by: 5000) {
      _ = try database.importPosts(Array(posts[begin..<min(begin + 5000, count)]), at: noon)
    }
    return database
  }

  private func post(_ number: Int) -> Post {
    let isMarked = number.isMultiple(of: 100)
    let name = isMarked ? "bob" : "ann"
    return Post(
      id: PostID("\(number)"), createdAt: Timestamp(seconds: Int64(number)),
      author: User(id: "id-\(name)", screenName: name, name: name.uppercased()),
      text: number == 5000 ? "a quokka" : isMarked ? "xylophone\(number) sounds" : "ordinary words")
  }

  private func found(_ database: AccountDatabase, _ query: String) throws -> [Int] {
    try database.search(SearchQuery(query), limit: 1_000_000).map { Int($0.mark.id.text)! }
  }

  private func isInFiles(_ word: String) throws -> Bool {
    let word = Array(word.utf8)
    return try Folder.names(in: home.files.dataFolder).contains { name in
      let bytes = try File.read("\(home.files.dataFolder)/\(name)", limit: 200_000_000)
      return bytes.withUnsafeBufferPointer { bytes in
        bytes.indices.dropLast(min(bytes.count, word.count - 1)).contains { index in
          bytes[index] == word[0] && bytes[index..<index + word.count].elementsEqual(word)
        }
      }
    }
  }

  @Test("purging one post does not read its neighbours, and leaves its text in no file")
  func onePost() throws {
    let database = try archive(of: 9000)
    #expect(try isInFiles("quokka") && found(database, "quokka") == [5000])
    // Reading any of these rows would fail.
    try database.connection.run("UPDATE posts SET post = '{' WHERE id <> '5000'")
    #expect(try database.count(of: .post(PostID("5000"))) == Purged(posts: 1))
    #expect(try database.purge(.post(PostID("5000")), at: noon).posts == 1)
    #expect(try !isInFiles("quokka") && found(database, "quokka") == [])
    #expect(try isInFiles("xylophone"))
  }

  @Test(
    "an index finds the rows that a purge has to check",
    arguments: [PurgeCandidates.before, PurgeCandidates.post, PurgeCandidates.quotes, PurgeCandidates.author])
  func indexed(sql: String) throws {
    let database = try archive(of: 10)
    let plan = try database.connection.all("EXPLAIN QUERY PLAN \(sql)", [.text("x")]) { $0.text(3) }
    #expect(!plan.isEmpty && plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test("a query for hidden posts looks only at these")
  func hiddenPlan() throws {
    let database = try archive(of: 10)
    let sql = "SELECT count(*) FROM \(PostTable.hiddenPosts) WHERE deleted_at IS NULL"
    let plan = try database.connection.all("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
    #expect(plan == ["SCAN hidden", "SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)"])
  }

  @Test("a search reads the search index before any post, regardless of its other conditions")
  func searchPlan() throws {
    let database = try archive(of: 10)
    let sql = AccountDatabase.searchStatement(in: "search_0", isByAuthor: true)
    let values: [SQLiteValue] = [
      .text("ordinary"), .integer(4096), .integer(.min), .integer(.max), .integer(.max), .integer(.max), .text("~"),
      .text("ann"), .integer(0), .integer(4096), .integer(20),
    ]
    let plan = try database.connection.all("EXPLAIN QUERY PLAN \(sql)", values) { $0.text(3) }
    #expect(plan.first?.hasPrefix("SCAN search_0 VIRTUAL TABLE INDEX") == true, "\(plan)")
    #expect(plan.contains("SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
    #expect(
      plan.contains { $0.hasPrefix("SEARCH posts USING COVERING INDEX posts_by_author (author=? AND rowid") }, "\(plan)"
    )
  }

  @Test(
    "a purge keeps posts that are stored between two of its portions", arguments: [Purge.everything, .before(noon)])
  func portions(purge: Purge) throws {
    let database = try archive(of: 9000)
    var run = try database.begin(purge, at: noon)
    #expect(try database.continuePurge(&run, at: noon))
    #expect(run.purged.posts == 4095 && run.progress == PurgeRun.Progress(done: 4095, of: 9000))
    let late = Post(
      id: PostID("\(noon.seconds + 1)"), createdAt: noon + .seconds(1),
      author: User(id: "id-eve", screenName: "eve", name: "Eve"), text: "brand new")
    try database.insert(
      Page(entries: [Page.Entry(post: late, key: PostKey(decimal: late.id)!)], older: nil), as: .head)
    while try database.continuePurge(&run, at: noon) {}
    #expect(run.purged.posts == 9000)
    #expect(try database.newestPosts(10, of: .home).map(\.mark.id) == [late.id] && database.countOfPosts() == 1)
    #expect(try found(database, "brand") == [Int(noon.seconds) + 1] && found(database, "ordinary") == [])
    #expect(try database.unfinishedPurges().isEmpty)
    #expect(try database.integrity().problems == [])
    #expect(try !isInFiles("xylophone"))
  }

  @Test("the next process that opens an archive for writing finishes an interrupted purge")
  func interrupted() throws {
    var database = try archive(of: 9000)
    var run = try database.begin(.author("BOB"), at: noon)
    #expect(try database.continuePurge(&run, at: noon) && run.purged.posts == 40)
    database.close()
    database = try home.database()
    let runs = try database.unfinishedPurges()
    #expect(runs.map(\.purge) == [.author("BOB")])
    run = try #require(runs.first)
    while try database.continuePurge(&run, at: noon) {}
    #expect(run.purged.posts == 50)
    #expect(try found(database, "@bob") == [] && database.countOfPosts() == 8910 && database.unfinishedPurges().isEmpty)
    #expect(try !isInFiles("xylophone"))
    #expect(try database.integrity().problems == [])
  }

  @Test("the version 4 index can be searched and checked before, during and after it is divided into parts")
  func divided() throws {
    try archive(of: 9000).close()
    try makeVersion4(of: home.files.database)
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    #expect(try found(reader, "xylophone100 OR quokka") == [5000, 100] && found(reader, "@bob").count == 90)
    #expect(try reader.integrity() == ArchiveIntegrity(posts: 9000, deleted: 0, problems: []))
    reader.close()
    let database = try home.database()
    var left = [Int]()
    repeat {
      #expect(try found(database, "xylophone100 OR quokka OR xylophone9000") == [9000, 5000, 100])
      #expect(try found(database, "@bob").count == 90)
      #expect(try database.integrity().problems == [])
      left.append(try database.divideSearch())
      try database.insert(
        Page(entries: [entry(10_000 + left.count, text: "another one")], older: nil), as: .head)
    } while left.last != 0
    #expect(left == [8191, 4095, 0])
    #expect(try found(database, "another") == [10_003, 10_002, 10_001])
    #expect(try found(database, "xylophone100 OR quokka OR xylophone9000") == [9000, 5000, 100])
    #expect(try database.connection.all("SELECT name FROM sqlite_schema WHERE name = 'search'") { $0.text(0) } == [])
    #expect(try database.integrity().problems == [])
  }

  @Test("a purge in a version 4 database divides the index, so that the text is removed", arguments: [false, true])
  func purgedInVersion4(isInterrupted: Bool) throws {
    try archive(of: 9000).close()
    try makeVersion4(of: home.files.database)
    var database = try home.database()
    var run = try database.begin(.author("bob"), at: noon)
    if isInterrupted {
      for _ in 0..<4 { #expect(try database.continuePurge(&run, at: noon)) }
      database.close()
      database = try home.database()
      run = try #require(try database.unfinishedPurges().first)
    }
    while try database.continuePurge(&run, at: noon) {}
    #expect(try !isInFiles("xylophone") && !isInFiles("quokka"))
    #expect(try found(database, "@bob") == [] && found(database, "ordinary").count == 8910)
    #expect(try database.integrity().problems == [])
  }

  @Test("once upgraded, a version 4 database records which posts quote which")
  func quotesOfVersion4() throws {
    var database = try home.database()
    var quoting = post(3)
    quoting.quoted = Post.Quote(
      id: PostID("2"), createdAt: noon, author: User(id: "7", screenName: "z", name: "Z"), text: "zither", url: nil,
      media: [])
    var misleading = post(4)
    misleading.text = #""quoted":{"id":"2"}"#
    let entries = [quoting, misleading].map { Page.Entry(post: $0, key: PostKey(decimal: $0.id)!) }
    try database.insert(Page(entries: entries, older: nil), as: .head)
    database.close()
    try makeVersion4(of: home.files.database)
    database = try home.database()
    #expect(try database.count(of: .post(PostID("2"))) == Purged(posts: 0, quotes: 1))
    let purged = try database.purge(.post(PostID("2")), at: noon)
    #expect(purged.posts == 0 && purged.quotes == 1)
    #expect(try !isInFiles("zither") && found(database, "@ann").count == 2)
  }

  @Test("removing the last post of a search index segment removes the segment")
  func emptiedPart() throws {
    let database = try archive(of: 5000)
    #expect(try SearchPart.all(in: database.connection).map(\.number) == [1, 0])
    for number in 0..<12 {
      try database.insert(
        Page(entries: [entry(10_000 + number)], older: nil), as: .head, keeping: Retention(newest: 500))
    }
    #expect(try database.countOfPosts() == 500 && SearchPart.all(in: database.connection).map(\.number) == [1])
    #expect(try database.integrity().problems == [])
  }
}
