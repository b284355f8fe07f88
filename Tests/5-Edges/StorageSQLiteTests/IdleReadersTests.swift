import Folders
import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Timeline

@testable import StorageSQLite

@Suite("Reading connections that wait for their next use") struct IdleReadersTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  /// Reads the number of posts, and returns the connection that read them.
  private func read(_ readers: IdleReaders) throws -> (posts: Int, by: SQLiteConnection) {
    let database = try #require(try AccountDatabase.openForReading(home.files, isSnapshot: true, by: readers))
    defer { database.close() }
    return (try database.countOfPosts(), database.connection)
  }

  @Test("a connection is used again, and sees what was written meanwhile and a file in place of the former one")
  func reused() throws {
    let readers = IdleReaders()
    let owner = try home.database()
    try owner.insert(page(3, 1), as: .head)
    let first = try read(readers)
    try owner.insert(page(6, 4), as: .head)
    let second = try read(readers)
    #expect(first.posts == 3 && second.posts == 6 && first.by === second.by)
    owner.close()
    try File.rename(home.files.dataFolder, to: "\(home.files.dataFolder).away")
    let other = try home.database()
    try other.insert(page(2, 1), as: .head)
    let third = try read(readers)
    #expect(third.posts == 2 && third.by !== second.by)
  }

  @Test("two readers of a file at a time see their own moments, and one connection waits afterwards")
  func simultaneous() throws {
    let readers = IdleReaders()
    let owner = try home.database()
    try owner.insert(page(3, 1), as: .head)
    let first = try #require(try AccountDatabase.openForReading(home.files, isSnapshot: true, by: readers))
    #expect(try first.countOfPosts() == 3)
    try owner.insert(page(6, 4), as: .head)
    let second = try #require(try AccountDatabase.openForReading(home.files, isSnapshot: true, by: readers))
    #expect(try first.countOfPosts() == 3 && second.countOfPosts() == 6)
    first.close()
    second.close()
    #expect(try read(readers).by === first.connection)
  }

  @Test("a waiting connection does not keep the log from being restarted, and after the end none keeps it at all")
  func log() throws {
    let readers = IdleReaders()
    let owner = try home.database()
    try owner.insert(page(3, 1), as: .head)
    _ = try read(readers)
    let checkpoint = try owner.connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.amount(0) }
    #expect(checkpoint == 0)
    readers.end()
    _ = try read(readers)
    owner.close()
    #expect(!File.exists("\(home.files.database)-wal"))
  }
}
