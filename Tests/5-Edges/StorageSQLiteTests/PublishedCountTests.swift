import Folders
import Formats
import Platform
import PublishedFiles
import Storage
import StorageFiles
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import StorageSQLite

/// How many posts are published if the configuration does not say.
@Suite struct PublishedCountTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func published(_ setting: Int? = nil) throws -> Int {
    let database = try home.database()
    defer { database.close() }
    try TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: setting)
      .publishAll(from: database)
    return try TimelineFile.read(File.read(home.files.timeline, limit: 10_000_000)).posts.count
  }

  private func fill() throws {
    let database = try home.database()
    try database.insert(page(1000, 1), as: .head) { $0.identity = ann }
    database.close()
  }

  private func makeOld() throws {
    let connection = try SQLiteConnection(home.files.database, .writing)
    try makeVersion6(of: connection)
    connection.close()
  }

  @Test("a new account publishes 200 posts, and a number in the configuration counts for every account")
  func new() throws {
    try fill()
    #expect(try published() == 200)
    #expect(try published(800) == 800 && published(3) == 3)
    #expect(try published() == 200)
  }

  @Test(
    "an account of an earlier version publishes 800 posts, before and after its upgrade, unless the configuration differs"
  )
  func old() throws {
    try fill()
    try makeOld()
    let reader = try #require(try AccountDatabase.openForReading(home.files))
    #expect(try reader.state().publishedPosts(nil) == 800 && reader.state().publishedPosts(30) == 30)
    reader.close()
    for _ in 0..<2 { #expect(try published() == 800) }
    #expect(try published(30) == 30)
    #expect(try published() == 800)
    // A page, a state and a later process do not change it.
    let database = try home.database()
    try database.insert(page(1001, 990), as: .head) { $0[.home].refreshedAt = noon }
    try database.update { $0[.home].readUpTo = entry(999).mark }
    #expect(try database.state().usualPosts == 800)
  }

  @Test("a copy of an earlier version's database publishes as many posts as the original, also after a restore")
  func copied() throws {
    try fill()
    try makeOld()
    let copy = "\(home.files.dataFolder)/copy.db"
    try AccountDatabase.copy(home.files, to: copy)
    for suffix in ["", "-wal", "-shm"] { try File.remove(home.files.database + suffix) }
    try fill()
    #expect(try published() == 200)
    for suffix in ["", "-wal", "-shm"] { try File.remove(home.files.database + suffix) }
    try File.rename(copy, to: home.files.database)
    #expect(try published() == 800)
  }

  @Test(
    "what is read from a damaged database of an earlier version includes its number of posts", arguments: [false, true])
  func salvaged(isUpgraded: Bool) throws {
    try fill()
    try makeOld()
    if isUpgraded { try home.database().close() }
    let damaged = try AccountDatabase.setAsideDamaged(home.files, at: noon)
    let database = try home.database()
    #expect(try database.state().usualPosts == nil)
    #expect(database.salvage(from: damaged).posts == 1000)
    #expect(try database.state().usualPosts == 800)
    database.close()
    #expect(try published() == 800)
  }
}
