import Platform
import Storage
import TestSupport
import Testing

@testable import StorageSQLite

/// The layer below SQLite that gathers the pages of a commit.
struct LogLayerTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/test.db" }

  private func open(_ access: SQLiteAccess = .writing) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path, access)
    if access == .writing {
      for sql in [
        "PRAGMA page_size = 1024", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
        // SQLite then writes changed pages to the log before the commit.
        "PRAGMA cache_size = -100", "PRAGMA cache_spill = -100",
        "CREATE TABLE IF NOT EXISTS texts (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
      ] { try connection.run(sql) }
    }
    return connection
  }

  private func add(_ count: Int, to connection: SQLiteConnection) throws(StorageError) {
    for _ in 0..<count {
      try connection.run("INSERT INTO texts (text) VALUES (?)", [.text(String(repeating: "x", count: 3000))])
    }
  }

  private func count(_ connection: SQLiteConnection) throws -> Int? {
    #expect(try connection.all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    return try connection.first("SELECT count(*) FROM texts") { $0.amount(0) }
  }

  /// The number of write calls by the current thread (`proc_pid_io(5)`).
  private func writes() throws -> Int {
    let text = String(decoding: try File.read("/proc/thread-self/io", limit: 4096), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
    return try #require(Int(line.dropFirst(7)))
  }

  @Test("a commit's pages are written to the log with one call, and other connections see them immediately")
  func gathered() throws {
    let (connection, reader) = (try open(), try open(.reading))
    try add(1, to: connection)
    let before = try writes()
    try connection.transaction { () throws(StorageError) in try add(10, to: connection) }
    #expect(try writes() == before + 1)
    #expect(try count(reader) == 11)
  }

  @Test("pages written before the commit are read back, and are gone after a rollback")
  func rolledBack() throws {
    let connection = try open()
    try add(1, to: connection)
    #expect(throws: StorageError.self) {
      try connection.transaction { () throws(StorageError) in
        try add(200, to: connection)
        let found = try connection.all("SELECT length(text) FROM texts") { $0.amount(0) }
        #expect(found == Array(repeating: 3000, count: 201))
        throw StorageError(.busy, "the test ends the transaction")
      }
    }
    #expect(try count(connection) == 1)
  }

  @Test("pages of a transaction that was rolled back never replace what another connection writes afterwards")
  func replaced() throws {
    let (first, second) = (try open(), try open())
    for number in 1...20 {
      try? first.transaction { () throws(StorageError) in
        try add(30 * number, to: first)
        throw StorageError(.busy, "the test ends the transaction")
      }
      try add(1, to: second)
      #expect(try count(first) == 2 * number - 1)
      try add(1, to: first)
      #expect(try count(second) == 2 * number)
    }
    first.close()
    second.close()
    #expect(try count(open(.reading)) == 40)
  }

  @Test("rolling back a savepoint leaves the rest of its transaction")
  func savepoint() throws {
    let connection = try open()
    try connection.transaction { () throws(StorageError) in
      try add(100, to: connection)
      try connection.run("SAVEPOINT inner")
      try add(100, to: connection)
      try connection.run("ROLLBACK TO inner")
      try add(3, to: connection)
    }
    #expect(try count(open(.reading)) == 103)
  }

  @Test("a log left by one process is complete for the next")
  func leftLog() throws {
    for number in 1...5 {
      let connection = try open()
      try connection.transaction { () throws(StorageError) in try add(50, to: connection) }
      connection.close(keepingLog: true)
      #expect(try FileStatus.of("\(path)-wal").size > 50 * 3000)
      #expect(try count(open(.reading)) == 50 * number)
    }
  }

  @Test("the header of a new log is written with the first commit, even after a rollback")
  func newLog() throws {
    let connection = try open()
    try add(1, to: connection)
    connection.close()
    #expect(!File.exists("\(path)-wal"))
    let next = try SQLiteConnection(path, .writing)
    #expect(throws: StorageError.self) {
      try next.transaction { () throws(StorageError) in
        try add(1, to: next)
        throw StorageError(.busy, "the test ends the transaction")
      }
    }
    #expect(try FileStatus.of("\(path)-wal").size == 0)
    let before = try writes()
    try next.transaction { () throws(StorageError) in try add(2, to: next) }
    #expect(try writes() == before + 1)
    let log = try #require(try WALFrames(File.read("\(path)-wal", limit: 1 << 20)))
    #expect(log.commits == 1)
    #expect(try count(open(.reading)) == 3)
  }

  @Test("a connection that opened a log while it was empty writes the header of the restarted log")
  func restarted() throws {
    let (first, second) = (try open(), try open())
    try add(20, to: first)
    #expect(try count(second) == 20)
    #expect(try first.first("PRAGMA wal_checkpoint(RESTART)") { $0.amount(0) } == 0)
    try add(1, to: second)
    try add(1, to: first)
    second.close(keepingLog: true)
    first.close(keepingLog: true)
    #expect(try count(open()) == 22)
  }
}
