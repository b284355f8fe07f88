internal import CSQLite
package import Dispatch
internal import Platform

/// A database file, opened by one process and used from one serial queue.
///
/// Not Sendable: the compiler keeps it where it was made. An owner that goes around the compiler gives the queue, and
/// each use elsewhere then traps.
@safe package final class SQLiteConnection {
  /// How a file is opened.
  package enum Access: Sendable {
    case reading, writing
    /// To read a file of ours that is damaged: only so can its schema be read where that contradicts itself (`PRAGMA writable_schema`).
    case salvaging
    /// To read a file that anybody may have made, to do harm with it.
    case foreign
    /// No file at all: it ends with the connection.
    case memory
  }

  /// How long a statement waits for another process that holds the file locked. Readers and the owner do not lock each
  /// other out in WAL mode, so that this is for a passing checkpoint only.
  private static let busyMilliseconds: Int32 = 5000

  /// The slots that a connection has for its small and short-lived values (sqlite.org/malloc.html#lookaside): 8 KiB instead of 48, of
  /// which a service keeps one for each account.
  private static let lookaside: (size: Int32, count: Int32) = (512, 16)

  package let path: String
  private let queue: DispatchQueue?
  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]
  /// What the log holds that is not in the file yet; `nil` where nothing is written.
  private var log: SQLiteLog?
  /// How long a foreign file may keep us busy.
  private var steps: SQLiteSteps?
  private let access: Access

  /// Opens the file; `.writing` makes an empty one where there is none, of mode 0600, which SQLite gives to its `-wal` and
  /// `-shm` too. Does not read it yet: whether it is a database shows at the first statement.
  /// - Throws: `SQLiteError`; `SystemError` when the file cannot be made.
  package init(_ path: String, _ access: Access, queue: DispatchQueue? = nil) throws {
    self.path = path
    self.queue = queue
    self.access = access
    if access == .writing {
      try PrivateFile.create(path)
      try PrivateFile.checkDatabase(path)
    }
    let flags =
      switch access {
      case .reading, .salvaging, .foreign: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
      }
    var opened: OpaquePointer?
    // No mutex of SQLite's own: one queue uses the connection.
    let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK else {
      let error = unsafe SQLiteError(of: opened, code: code, file: path)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = unsafe opened
    unsafe sqlite3_busy_timeout(opened, Self.busyMilliseconds)
    // Before the first statement, which would take slots. Refused, it costs memory alone.
    unsafe csqlite_set_lookaside(opened, Self.lookaside.size, Self.lookaside.count)
    // Before anything is read.
    if let opened = unsafe opened { try unsafe SQLiteDefences.put(up: opened, for: access, file: path) }
    if access == .foreign {
      let size = try FileFacts.of(path).size
      steps = unsafe opened.map { unsafe SQLiteSteps(of: $0, fileOf: size) }
    }
    if access == .writing { log = unsafe opened.map { unsafe SQLiteLog(of: $0) } }
  }

  deinit { close() }

  /// Closes the file, which brings the write-ahead log into it. Any later use traps.
  /// - Parameter keepingLog: whether the log stays beside the file instead (sqlite.org/c3ref/c_dbconfig_defensive.html,
  ///   SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE). What is in it is on the disk already.
  package func close(keepingLog: Bool = false) {
    statements = [:]
    if keepingLog, let handle = unsafe handle {
      _ = unsafe csqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    if let handle = unsafe handle { unsafe sqlite3_close_v2(handle) }
    unsafe handle = nil
    log = nil
    steps = nil
  }

  /// Runs one statement and hands out its rows. It is prepared once and kept.
  /// - Parameter values: one for each `?`, in their order.
  package func run(
    _ sql: String, _ values: [SQLiteValue] = [], _ row: (borrowing SQLiteRow) throws(SQLiteError) -> Void = { _ in }
  ) throws(SQLiteError) {
    try statement(sql).run(values, row)
  }

  /// Runs a statement and makes a value of its first row; `nil` when there is none.
  package func first<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ value: (borrowing SQLiteRow) -> Value
  ) throws(SQLiteError) -> Value? {
    var first: Value?
    try run(sql, values) { row throws(SQLiteError) in if first == nil { first = value(row) } }
    return first
  }

  /// Runs a statement and makes a value of each row.
  package func all<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ value: (borrowing SQLiteRow) -> Value
  ) throws(SQLiteError) -> [Value] {
    var all: [Value] = []
    try run(sql, values) { row throws(SQLiteError) in all.append(value(row)) }
    return all
  }

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(opened())) }

  /// The row that the last INSERT made.
  package var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(opened()) }

  /// Runs the body as one change: all of it is kept on the disk, or after a throw nothing of it.
  package func transaction<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(SQLiteError) -> Answer {
    // IMMEDIATE takes the writer's place at the beginning, so that nobody can take it between reading and writing.
    try run("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      let answer = try body()
      try run("COMMIT")
      return answer
    } catch {
      // SQLite has rolled back by itself after some errors, a full disk among them.
      if unsafe sqlite3_get_autocommit(opened()) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Brings the log into the file once it has grown, and lets go of the pages in memory: for when nobody waits.
  ///
  /// After it the log begins anew with a transaction of its own, so that its beginning has been synced before the next one needs it.
  /// - Parameter renewal: a statement that writes and changes nothing.
  func rest(renewingLogBy renewal: String) throws(SQLiteError) {
    if let log, log.isLong, try first("PRAGMA wal_checkpoint(PASSIVE)", [], { $0.integer(1) == $0.integer(2) }) == true
    {
      try run(renewal)
    }
    _ = unsafe sqlite3_db_release_memory(opened())
  }

  private func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    let connection = unsafe opened()
    if let kept = statements[sql] { return kept }
    let new = try unsafe SQLiteStatement(sql, on: connection, file: path, usesModules: access != .foreign)
    statements[sql] = new
    return new
  }

  private func opened() -> OpaquePointer {
    if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
    guard let handle = unsafe handle else { preconditionFailure("a closed database was used") }
    return unsafe handle
  }
}
