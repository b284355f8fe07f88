import Folders
import Formats
import Glibc
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

@Suite struct TimelineFilesWriterTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func publisher(keeping count: Int = 100) -> TimelineFilesWriter {
    TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: count)
  }

  private func published() throws -> TimelineFile {
    try TimelineFile.read(File.read(home.files.timeline, limit: 10_000_000))
  }

  @Test("a published file's head contains the user, the freshness and the problem")
  func content() throws {
    let database = try home.database()
    let problem = Problem(code: .network, message: "no route", retryAt: noon + .seconds(60))
    try database.insert(page(12, 8), as: .head) {
      $0 = AccountState(
        identity: ann,
        timelines: [
          .home: TimelineState(
            refreshedAt: noon, nextRefreshAt: noon + .seconds(90), staleSince: noon, problem: problem)
        ])
    }
    try publisher(keeping: 3).publishAll(from: database)
    let file = try published()
    #expect(file.posts == [12, 11, 10].map { entry($0).post })
    #expect(
      file.head
        == TimelineHead(
          account: "bird", provider: "twitter", user: ann.user, refreshedAt: noon, freshUntil: nil, staleSince: noon,
          problem: problem, unread: 3))
  }

  @Test("an account that was never refreshed has a file without posts")
  func empty() throws {
    try publisher().publishAll(from: home.database())
    let file = try published()
    #expect(file.posts == [])
    #expect(file.head == TimelineHead(account: "bird", provider: "twitter"))
  }

  @Test("a gap is published only if it is between published posts", arguments: [2, 10, 11, 20, 100])
  func gaps(count: Int) throws {
    let database = try home.database()
    try database.insert(page(10, 1), as: .head)
    try database.insert(page(30, 21), as: .head)
    try publisher(keeping: count).publishAll(from: database)
    let gap = PublishedGap(after: PostID("10"), before: PostID("21"), isFillable: true)
    #expect(try published().head.gaps == (count > 10 ? [gap] : []))
  }

  @Test("a published file and its folder are private, and no other file is left behind")
  func modes() async throws {
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0)
      let home = StorageHome(path)
      try TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 1).publishAll(
        from: home.database())
    }
    #expect(try permissions(home.files.timeline) == 0o600)
    #expect(try permissions(home.files.cacheFolder) == 0o700)
    #expect(try Folder.names(in: home.files.cacheFolder) == ["home_timeline.json"])
  }

  @Test("a deleted cache folder is recreated from the database alone")
  func deleted() throws {
    let database = try home.database()
    try database.insert(page(20, 1), as: .head) { $0[.home].refreshedAt = noon }
    try publisher().publishAll(from: database)
    let before = try File.read(home.files.timeline, limit: 1_000_000)
    database.close()
    try File.remove(home.files.timeline)
    rmdir(home.files.cacheFolder)
    rmdir(home.layout.cacheFolder)
    #expect(!File.exists(home.layout.cacheFolder))
    try publisher().publishAll(from: home.database())
    #expect(try File.read(home.files.timeline, limit: 1_000_000) == before)
  }

  @Test("if a published file cannot be written, the previous one stays complete and no other file is left behind")
  func full() async throws {
    let database = try home.database()
    try database.insert(page(10, 1), as: .head)
    try publisher().publishAll(from: database)
    try database.insert(page(2000, 11), as: .head)
    database.close()
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let home = StorageHome(path)
      let database = try home.database()
      limitFileSize(to: 20_000)
      let error = #expect(throws: PublishError.self) {
        try TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 2000)
          .publishAll(from: database)
      }
      #expect(error?.description.contains(home.files.timeline) == true)
    }
    #expect(try published().posts.count == 10)
    #expect(try Folder.names(in: home.files.cacheFolder) == ["home_timeline.json"])
  }

  @Test("the error about a cache folder that cannot be created gives its path")
  func noFolder() throws {
    try AtomicFile.write([], to: "\(folder.path)/cache", .replaced)
    let error = #expect(throws: PublishError.self) { try publisher().publishAll(from: home.database()) }
    #expect(error?.description.contains("\(folder.path)/cache") == true)
  }
}
