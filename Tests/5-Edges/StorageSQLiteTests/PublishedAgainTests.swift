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

/// Files that reuse lines from published files. They must be identical to files written from the database alone.
@Suite struct PublishedAgainTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  /// The formats that do not change with the time of day.
  private static let formats: [PublishedFormat] = [.jsonLines, .atom, .jsonFeed, .text]

  private func publisher(keeping count: Int = 50) -> TimelineFilesWriter {
    TimelineFilesWriter(
      home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: count, formats: Self.formats)
  }

  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try Folder.names(in: home.files.cacheFolder) {
      files[name] = try File.read("\(home.files.cacheFolder)/\(name)", limit: 10_000_000)
    }
    return files
  }

  private var paths: [String] { Self.formats.map { home.files.published(as: $0) } }

  /// Publishes the files again from the database alone.
  private func filesFromDatabase(_ database: AccountDatabase, keeping count: Int) throws -> [String: [UInt8]] {
    database.close()
    for path in paths + [home.files.timeline] { try File.remove(path) }
    try publisher(keeping: count).publishAll(from: home.database())
    return try files()
  }

  /// A change to a timeline whose posts 1 to 60 are published.
  enum Change: CaseIterable {
    case nothing, newer, one, edited, deletedInside, deletedNewest, belowTheWindow, amongThem, readMark, many, kept,
      purged

    func apply(to database: AccountDatabase) throws {
      switch self {
      case .nothing: try database.insert(page(60, 40), as: .head) { $0[.home].refreshedAt = noon + .seconds(5) }
      case .newer: try database.insert(page(70, 50), as: .head)
      case .one: try database.insert(page(61, 50), as: .head)
      case .edited:
        try database.insert(
          Page(entries: [entry(55), entry(58, text: "changed"), entry(61)], older: PageCursor("55")), as: .head)
      case .deletedInside:
        try database.insert(
          Page(
            entries: [entry(61)], older: PageCursor("61"),
            deleted: [PostPosition(id: entry(30).post.id, key: entry(30).key)]),
          as: .head)
      case .deletedNewest:
        try database.insert(
          Page(entries: [], older: nil, deleted: [PostPosition(id: entry(60).post.id, key: entry(60).key)]), as: .head)
      case .belowTheWindow:
        _ = try database.importPosts([ImportedPost(entry(0).post, key: entry(0).key, source: [])], at: noon)
      case .amongThem:
        let between = Page.Entry(
          post: Post(
            id: PostID("45a"), createdAt: noon, author: User(id: "2", screenName: "b", name: "B"), text: "late"),
          key: PostKey(entry(45).key.text + "a"))
        try database.insert(Page(entries: [between], older: nil), as: .head)
      case .readMark: try database.update { $0[.home].readUpTo = entry(52).mark }
      case .many: try database.insert(page(200, 50), as: .head)
      case .kept: try database.insert(page(64, 50), as: .head, keeping: Retention(newest: 50))
      case .purged: _ = try database.purge(.post(PostID("33")), at: noon)
      }
    }
  }

  @Test(
    "published files with reused lines are identical to files written from the database alone",
    arguments: Change.allCases,
    [5, 20, 50, 100])
  func same(change: Change, count: Int) throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head) {
      ($0.identity, $0[.home].refreshedAt, $0[.home].readUpTo) = (ann, noon, entry(57).mark)
    }
    try publisher(keeping: count).publishAll(from: database)
    try change.apply(to: database)
    try publisher(keeping: count).publishAll(from: database)
    // The next publication must be identical too, but starts from a file with reused lines.
    try database.insert(page(202, 195), as: .head)
    try publisher(keeping: count).publishAll(from: database)
    let published = try files()
    #expect(published.count == Self.formats.count + 1)
    #expect(try filesFromDatabase(database, keeping: count) == published)
  }

  @Test("unchanged posts are taken from the published file")
  func taken() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head) { $0[.home].refreshedAt = noon }
    try publisher().publishAll(from: database)
    // The database changes without the publisher being notified, so a post read from the database would differ.
    let other = try SQLiteConnection(home.files.database, .writing)
    try other.run("UPDATE posts SET post = replace(post, 'post 30', 'other 30')")
    other.close()
    try database.insert(page(61, 55), as: .head)
    try publisher().publishAll(from: database)
    for (name, bytes) in try files() {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("other 30"), "\(name)")
    }
  }

  @Test("published files that another program has changed are written again")
  func touched() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head) { $0[.home].refreshedAt = noon }
    try publisher().publishAll(from: database)
    for path in paths + [home.files.timeline] {
      try AtomicFile.write(Array("torn".utf8), to: path, .replaced)
    }
    try database.insert(page(61, 55), as: .head)
    try publisher().publishAll(from: database)
    let published = try files()
    #expect(try filesFromDatabase(database, keeping: 50) == published)
  }

  @Test("a refresh without changes writes no file for an hour, and then renews the freshness promise in one file")
  func untouched() throws {
    let database = try home.database()
    func refresh(after seconds: Int) throws {
      try database.insert(page(60, 40), as: .head) {
        ($0[.home].refreshedAt, $0[.home].nextRefreshAt) = (noon + .seconds(seconds), noon + .seconds(seconds + 90))
      }
      try publisher().publishAll(from: database)
    }
    try database.insert(page(60, 1), as: .head)
    try refresh(after: 0)
    let before = try paths.map { try FileStatus.of($0) }
    let timeline = try FileStatus.of(home.files.timeline)
    for seconds in stride(from: 90, through: 3600, by: 90) { try refresh(after: seconds) }
    #expect(try FileStatus.of(home.files.timeline) == timeline)
    try refresh(after: 3690)
    #expect(try paths.map { try FileStatus.of($0) } == before)
    #expect(try FileStatus.of(home.files.timeline) != timeline)
    let head = try TimelineFile.read(File.read(home.files.timeline, limit: 1_000_000), limit: 1).head
    #expect(head.freshUntil == noon + .seconds(3690 + 90 + 90 + 3600))
  }

  @Test("a new process leaves current files alone and replaces a file with an earlier schema")
  func begunAnew() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head) {
      ($0[.home].refreshedAt, $0[.home].nextRefreshAt) = (noon, noon + .seconds(90))
    }
    try publisher().publishAll(from: database)
    database.close()
    let all = paths + [home.files.timeline]
    let before = try all.map { try FileStatus.of($0) }
    let next = try home.database()
    try next.update { ($0[.home].refreshedAt, $0[.home].nextRefreshAt) = (noon + .seconds(90), noon + .seconds(180)) }
    try publisher().publishAll(from: next)
    #expect(try all.map { try FileStatus.of($0) } == before)
    next.close()
    let text = String(decoding: try File.read(home.files.timeline, limit: 1_000_000), as: UTF8.self)
    let former = text.replacing(#"{"schema":2"#, with: #"{"schema":1"#)
    try AtomicFile.write(Array(former.utf8), to: home.files.timeline, .replaced)
    try publisher().publishAll(from: try home.database())
    #expect(
      String(decoding: try File.read(home.files.timeline, limit: 1_000_000), as: UTF8.self).hasPrefix(#"{"schema":2"#))
  }

  @Test("a new process stores nothing for a page of known posts if the files are current, and publishes once")
  func inherited() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head) {
      ($0[.home].refreshedAt, $0[.home].nextRefreshAt) = (noon, noon + .seconds(90))
    }
    try publisher().publishAll(from: database)
    database.close()
    let before = try files()
    let next = try home.database()
    var state = try next.state()
    (state[.home].refreshedAt, state[.home].nextRefreshAt) = (noon + .seconds(90), noon + .seconds(180))
    #expect(try !publisher().remainsValid(with: state, of: next, isLikely: false))
    #expect(try publisher().remainsValid(with: state, of: next))
    let write = PageWrite(
      page(60, 40), of: .home, as: .head, receivedAt: noon + .seconds(90), state: state, defersQuietState: true)
    #expect(try next.insert(write, expecting: next.revision()).value.isStateDeferred)
    #expect(try FileStatus.of("\(home.files.database)-wal").size == 0)
    #expect(try publisher().publishAll(from: next, as: state, at: noon).concernsViews)
    #expect(try !publisher().publishAll(from: next, as: state, at: noon).concernsViews)
    #expect(try files() == before)
    try next.insert(page(63, 50), as: .head)
    try publisher().publishAll(from: next)
    let published = try files()
    #expect(try filesFromDatabase(next, keeping: 50) == published)
  }

  @Test("a new process does not count a file that differs from the database as current", arguments: [true, false])
  func notInherited(isTorn: Bool) throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head) {
      ($0[.home].refreshedAt, $0[.home].nextRefreshAt) = (noon, noon + .seconds(90))
    }
    try publisher().publishAll(from: database)
    if isTorn {
      let bytes = try File.read(home.files.timeline, limit: 1_000_000)
      try AtomicFile.write(bytes.dropLast(100) + [0x20], to: home.files.timeline, .replaced)
    } else {
      try database.insert(page(61, 50), as: .head)
    }
    database.close()
    let next = try home.database()
    #expect(try !publisher().remainsValid(with: next.state(), of: next))
    try publisher().publishAll(from: next)
    let published = try files()
    #expect(try filesFromDatabase(next, keeping: 50) == published)
  }

  @Test("deferred formats wait for a later call unless their file is missing")
  func gathered() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head)
    func publish(gathers: Bool) throws -> TimelineFilesWriter.Published {
      try publisher().publishAll(from: database, gathers: gathers, at: noon)
    }
    #expect(try !publish(gathers: true).isBehind)
    let before = try files()
    #expect(before.count == Self.formats.count + 1)
    for newest in [61, 62] {
      try database.insert(page(newest, 55), as: .head)
      #expect(try publish(gathers: true).isBehind)
    }
    let between = try files()
    for (name, bytes) in before {
      let isGathered = [".atom", ".feed.json", ".txt", ".jsonl"].contains { name.hasSuffix($0) }
      #expect((between[name] == bytes) == isGathered, "\(name)")
    }
    #expect(publisher().isBehind(database))
    #expect(try !publish(gathers: false).isBehind)
    let published = try files()
    #expect(try filesFromDatabase(database, keeping: 50) == published)
  }

  @Test("a page is not deferred if it would cease to be fresh in the meantime")
  func pagePromise() throws {
    let database = try home.database()
    let page = home.files.published(as: .html)
    func refresh(after seconds: Int, newest: Int = 61, gathers: Bool = true) throws {
      try database.insert(StorageSQLiteTests.page(newest, 40), as: .head) {
        ($0[.home].refreshedAt, $0[.home].nextRefreshAt) = (noon + .seconds(seconds), noon + .seconds(seconds + 90))
      }
      try TimelineFilesWriter(
        home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 50, formats: [.html, .text]
      ).publishAll(from: database, gathers: gathers, at: noon + .seconds(seconds))
    }
    func promise() throws -> String {
      let text = String(decoding: try File.read(page, limit: 1_000_000), as: UTF8.self)
      return String(try #require(text.split(separator: "data-fresh-until=\"").last).prefix { $0 != "\"" })
    }
    try refresh(after: 0, newest: 60)
    let first = try promise()
    try refresh(after: 90)
    #expect(try promise() == first)
    try refresh(after: 180, gathers: false)
    let second = try promise()
    #expect(second > first)
    for seconds in stride(from: 270, through: 3690, by: 90) { try refresh(after: seconds) }
    #expect(try promise() == second)
    // `home_timeline.json` is renewed because its promise ends before the next refresh, and the page with it.
    try refresh(after: 3870)
    #expect(try promise() > second)
  }

  @Test("published feeds contain only the newest posts")
  func feeds() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head)
    let publisher = TimelineFilesWriter(
      home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 50, feedPosts: 7,
      formats: Self.formats)
    try publisher.publishAll(from: database, at: noon)
    func count(_ text: String, in format: PublishedFormat) throws -> Int {
      String(decoding: try File.read(home.files.published(as: format), limit: 1_000_000), as: UTF8.self)
        .ranges(of: text).count
    }
    #expect(try count("<entry", in: .atom) == 7)
    #expect(try count(#""date_published""#, in: .jsonFeed) == 7)
    #expect(try count("\n", in: .text) == 50 && count("\n", in: .jsonLines) == 50)
  }

  @Test("a newer rendering includes the formats of unfinished ones, and replaces those that have not begun")
  func unfinished() throws {
    let database = try home.database()
    try database.insert(page(60, 1), as: .head)
    let former = try #require(publisher().publish(from: database, at: noon).rendering)
    #expect(former.formats == Set(Self.formats))
    try database.insert(page(61, 55), as: .head)
    let newer = try #require(
      publisher().publish(from: database, gathers: true, unfinished: former.formats, at: noon).rendering)
    #expect(newer.formats == former.formats)
    // The posts that it would show are no longer published.
    let outdated = former.write()
    #expect(try outdated.isOutdated && files().count == 1)
    publisher().note(outdated, isLast: false, for: database)
    let rendered = newer.write()
    #expect(!rendered.isOutdated && rendered.failure == nil)
    publisher().note(rendered, isLast: true, for: database)
    #expect(
      try !publisher().isBehind(database) && publisher().publish(from: database, at: noon).rendering == nil)
    let published = try files()
    #expect(try filesFromDatabase(database, keeping: 50) == published)
  }
}
