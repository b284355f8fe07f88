import Folders
import Platform
import Settings
import Storage
import TestSupport
import Testing
import Timeline

@testable import StorageSQLite

/// The copy with which a new account's database begins.
struct DatabaseTemplateTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private var files: AccountFiles { home.files }

  private func content(_ connection: SQLiteConnection) throws -> [[String]] {
    [
      try connection.all("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid") { row in
        (0..<4).map { row.textOrNull(Int32($0)) ?? "-" }.joined(separator: " ")
      },
      try connection.all("SELECT * FROM state") { row in "\(row.integer(0, in: 0...9)) \(row.isNull(1))" },
      try ["user_version", "page_size", "journal_mode", "encoding", "auto_vacuum", "integrity_check"].map { name in
        "\(name): \(try connection.first("PRAGMA \(name)") { $0.text(0) } ?? "-")"
      },
    ]
  }

  @Test("a new database has the same content as a file in which SQLite creates the tables")
  func same() throws {
    try Folder.create(files.dataFolder)
    try PrivateFile.create(files.database)
    try home.database().close()
    let created = try content(SQLiteConnection(files.database, .reading))
    for suffix in ["", "-wal", "-shm"] { try File.remove(files.database + suffix) }
    try home.database().close()
    #expect(try Folder.names(in: files.dataFolder) == ["timeline.db"])
    #expect(try FileStatus.of(files.database).permissions == 0o600)
    #expect(try content(SQLiteConnection(files.database, .reading)) == created)
  }

  @Test("a new database is complete before its first commit")
  func complete() throws {
    try Folder.create(files.dataFolder)
    try DatabaseTemplate.create(files.database)
    #expect(try DatabaseTemplate.make() == File.read(files.database, limit: 1 << 20))
    let connection = try SQLiteConnection(files.database, .reading)
    #expect(try DatabaseSchema.find(in: connection) == .current)
  }

  @Test("an existing file is not replaced, even if it is empty or not a database", arguments: ["", "text"])
  func existing(text: String) throws {
    try Folder.create(files.dataFolder)
    try AtomicFile.write(Array(text.utf8), to: files.database, .replaced)
    try DatabaseTemplate.create(files.database)
    #expect(try File.read(files.database, limit: 100) == Array(text.utf8))
    #expect(try home.database().countOfPosts() == 0)
  }

  @Test("a log or journal that was left without its database is not applied to the new one")
  func leftLog() throws {
    let database = try home.database()
    try database.insert(page(5, 1), as: .head)
    database.close(inHaste: true)
    #expect(SQLiteConnection.wasLeftOpen(files.database))
    try AtomicFile.write(Array("journal".utf8), to: "\(files.database)-journal", .replaced)
    try File.remove(files.database)
    let new = try home.database()
    #expect(try new.countOfPosts() == 0)
    #expect(new.damage == nil)
    #expect(!File.exists("\(files.database)-journal"))
    try new.insert(page(7, 6), as: .head)
    #expect(try new.newestPosts(10, of: .home).map(\.mark.id.text) == ["7", "6"])
  }

  @Test("what a process killed while it created a database has left is removed when the account is opened again")
  func killed() throws {
    try Folder.create(files.dataFolder)
    // No process has a number this large (proc_sys_kernel(5)).
    let left = "\(files.database).new-4194305"
    try AtomicFile.write([1, 2, 3], to: left, .replaced)
    try FileStorage(home.layout).removeLeftovers(of: try #require(AccountName(files.account)))
    #expect(!File.exists(left))
    try home.database().close()
    #expect(try Folder.names(in: files.dataFolder) == ["timeline.db"])
  }
}
