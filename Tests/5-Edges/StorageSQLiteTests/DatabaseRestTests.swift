import CSQLite
import Folders
import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Timeline

@testable import StorageSQLite

@Suite struct DatabaseRestTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func log() throws -> WALFrames? {
    WALFrames(try File.read("\(home.files.database)-wal", limit: 100_000_000))
  }

  /// Fills the write-ahead log with more pages than maintenance leaves there.
  private func fill(_ database: AccountDatabase) throws {
    let text = String(repeating: "word ", count: 600)
    for begin in stride(from: 1, to: 2000, by: 100) {
      let entries = (begin..<begin + 100).map { entry($0, text: text) }
      try database.insert(Page(entries: entries, older: PageCursor("\(begin)")), as: .head)
    }
  }

  @Test("a refresh leaves the write-ahead log alone, and maintenance checkpoints and restarts it")
  func rest() throws {
    let database = try home.database()
    try fill(database)
    let pages = try #require(try log()).frames.count
    #expect(pages > 1000)
    try database.performMaintenance()
    let frames = try #require(try log()).frames
    #expect(frames.count == 1)
    // The log has been restarted, so the next refresh syncs only its commit.
    try database.insert(page(3000, 2999), as: .head)
    #expect(try #require(try log()).frames.first == frames.first)
  }

  @Test("a short write-ahead log is not checkpointed")
  func short() throws {
    let database = try home.database()
    try database.insert(page(20, 1), as: .head)
    let before = try #require(try log()).frames
    try database.performMaintenance()
    #expect(try #require(try log()).frames == before)
  }

  @Test("a small database may be closed with a short write-ahead log left in place, but not with a long one")
  func leftWithLog() throws {
    let database = try home.database()
    for number in 1...3 { try database.insert(page(20 * number, 20 * number - 19), as: .head) }
    #expect(database.isQuickToReopen)
    database.close(inHaste: true)
    #expect(try log() != nil)
    let next = try AccountDatabase.open(home.files, at: noon, wasClosedWell: true)
    #expect(try next.countOfPosts() == 60)
    try fill(next)
    #expect(!next.isQuickToReopen)
    next.close()
  }

  @Test("a database closed with its write-ahead log left in place is complete when it is opened again")
  func closedWithLog() throws {
    let database = try home.database()
    try fill(database)
    database.close(inHaste: true)
    let pages = try #require(try log()).frames.count
    #expect(pages > 1000)
    let next = try AccountDatabase.open(home.files, at: noon, wasClosedWell: true)
    #expect(try next.countOfPosts() == 2000)
    next.close()
    #expect(!File.exists("\(home.files.database)-wal"))
  }

  enum Use: CaseIterable { case revision, posts, searchParts }

  @Test("among many databases, one that rests gives back its memory, whatever it was used for", arguments: Use.allCases)
  func memory(use: Use) throws {
    let folder = TemporaryFolder()
    let others = try CrowdedDatabases(in: folder.path)
    let database = try home.database()
    try database.insert(page(20, 1), as: .head)
    try database.performMaintenance()
    #expect(try others.residentIndex(of: home.files) == 0)
    let resting = kept(by: database)
    switch use {
    case .revision: _ = try database.revision()
    case .posts: _ = try database.countOfPosts()
    // This asks for a table, and runs no statement.
    case .searchParts: try database.performMaintenance(isLong: true)
    }
    if use != .searchParts {
      #expect(try others.residentIndex(of: home.files) > 0)
      #expect(kept(by: database) > resting)
    }
    try database.performMaintenance()
    #expect(try others.residentIndex(of: home.files) == 0)
    // The statement that reads the revision needs no schema, and stays.
    if use != .revision { #expect(kept(by: database) == resting) }
  }

  /// Returns the size in bytes of the parsed schema and the prepared statements of a database.
  private func kept(by database: AccountDatabase) -> Int {
    [SQLITE_DBSTATUS_SCHEMA_USED, SQLITE_DBSTATUS_STMT_USED].reduce(0) { sum, kind in
      var (now, highest): (Int32, Int32) = (0, 0)
      sqlite3_db_status(database.connection.opened(), kind, &now, &highest, 0)
      return sum + Int(now)
    }
  }
}
