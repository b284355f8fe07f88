import CivilTime
import Platform
import Publish
import Store
import TestSupport
import Testing
import Timeline

/// What is taken from the files as they were published before must be what would have been published without them.
@Suite struct PublishedAgainTests {
  private let folder = TemporaryFolder()
  private var place: Place { Place(folder) }
  /// Of these nothing changes with the time of day.
  private static let formats: [PublishedFormat] = [.jsonLines, .atom, .jsonFeed, .text]

  private func publisher(keeping count: Int = 50) -> TimelinePublisher {
    TimelinePublisher(place.files, provider: "twitter", keepPosts: count, formats: Self.formats)
  }

  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try Folder.names(in: place.files.cacheFolder) {
      files[name] = try File.read("\(place.files.cacheFolder)/\(name)", limit: 10_000_000)
    }
    return files
  }

  private var paths: [String] { Self.formats.map { place.files.published(as: $0) } }

  /// The files once more, from the database alone.
  private func filesFromDatabase(_ database: AccountDatabase, keeping count: Int) throws -> [String: [UInt8]] {
    database.close()
    for path in paths + [place.files.timeline] { try File.remove(path) }
    try publisher(keeping: count).publish(from: place.database())
    return try files()
  }

  /// A change of a timeline whose posts 1 to 60 are published.
  enum Change: CaseIterable {
    case nothing, newer, one, edited, deletedInside, deletedNewest, belowTheWindow, amongThem, readMark, many, kept,
      purged

    func apply(to database: AccountDatabase) throws {
      switch self {
      case .nothing: try database.insert(page(60, 40), as: .head) { $0.refreshedAt = noon + .seconds(5) }
      case .newer: try database.insert(page(70, 50), as: .head)
      case .one: try database.insert(page(61, 50), as: .head)
      case .edited:
        try database.insert(
          Page(entries: [entry(55), entry(58, text: "changed"), entry(61)], older: PageCursor("55")), as: .head)
      case .deletedInside:
        try database.insert(
          Page(
            entries: [entry(61)], older: PageCursor("61"),
            deleted: [PostMark(id: entry(30).post.id, key: entry(30).key)]),
          as: .head)
      case .deletedNewest:
        try database.insert(
          Page(entries: [], older: nil, deleted: [PostMark(id: entry(60).post.id, key: entry(60).key)]), as: .head)
      case .belowTheWindow:
        _ = try database.take([ImportedPost(entry(0).post, key: entry(0).key, source: [])], at: noon)
      case .amongThem:
        let between = Page.Entry(
          post: Post(
            id: PostID("45a"), createdAt: noon, author: User(id: "2", screenName: "b", name: "B"), text: "late"),
          key: PostKey(entry(45).key.text + "a"))
        try database.insert(Page(entries: [between], older: nil), as: .head)
      case .readMark: try database.update { $0.readUpTo = entry(52).mark }
      case .many: try database.insert(page(200, 50), as: .head)
      case .kept: try database.insert(page(64, 50), as: .head, keeping: Retention(newest: 50))
      case .purged: _ = try database.purge(.post(PostID("33")), at: noon)
      }
    }
  }

  @Test(
    "what is taken from the files before is what the database alone would give", arguments: Change.allCases,
    [5, 20, 50, 100])
  func same(change: Change, count: Int) throws {
    let database = try place.database()
    try database.insert(page(60, 1), as: .head) {
      ($0.identity, $0.refreshedAt, $0.readUpTo) = (ann, noon, entry(57).mark)
    }
    try publisher(keeping: count).publish(from: database)
    try change.apply(to: database)
    try publisher(keeping: count).publish(from: database)
    // Once more, from what was put together.
    try database.insert(page(202, 195), as: .head)
    try publisher(keeping: count).publish(from: database)
    let published = try files()
    #expect(published.count == Self.formats.count + 1)
    #expect(try filesFromDatabase(database, keeping: count) == published)
  }

  @Test("entries that stay are taken from the file as it stands there")
  func taken() throws {
    let database = try place.database()
    try database.insert(page(60, 1), as: .head) { $0.refreshedAt = noon }
    try publisher().publish(from: database)
    // Behind the program's back, and without it being noticed in any other way: what stays is not read from the database again.
    let other = try SQLiteConnection(place.files.database, .writing)
    try other.run("UPDATE posts SET post = replace(post, 'post 30', 'other 30')")
    other.close()
    try database.insert(page(61, 55), as: .head)
    try publisher().publish(from: database)
    for (name, bytes) in try files() {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("other 30"), "\(name)")
    }
  }

  @Test("files that somebody has touched are published whole")
  func touched() throws {
    let database = try place.database()
    try database.insert(page(60, 1), as: .head) { $0.refreshedAt = noon }
    try publisher().publish(from: database)
    for path in paths + [place.files.timeline] {
      try AtomicFile.write(Array("torn".utf8), to: path, .replaced)
    }
    try database.insert(page(61, 55), as: .head)
    try publisher().publish(from: database)
    let published = try files()
    #expect(try filesFromDatabase(database, keeping: 50) == published)
  }

  @Test("files without a new post are not touched, but for the one that says when it was refreshed")
  func untouched() throws {
    let database = try place.database()
    try database.insert(page(60, 1), as: .head) { $0.refreshedAt = noon }
    try publisher().publish(from: database)
    let before = try paths.map { try FileFacts.of($0) }
    let timeline = try FileFacts.of(place.files.timeline)
    try database.insert(page(60, 40), as: .head) { $0.refreshedAt = noon + .seconds(60) }
    try publisher().publish(from: database)
    #expect(try paths.map { try FileFacts.of($0) } == before)
    #expect(try FileFacts.of(place.files.timeline) != timeline)
  }
}
