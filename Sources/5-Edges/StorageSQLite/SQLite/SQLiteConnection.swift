internal import CSQLite
package import Dispatch
internal import Platform
package import Storage

/// A connection to a database file, used from one serial queue.
///
/// The class is not Sendable, so the compiler prevents its use on other queues. A caller that bypasses this check passes its queue; any use
/// on a different queue then traps.
@safe package final class SQLiteConnection {
  /// How long a statement waits for another process's lock. In WAL mode, readers and the writer do not block each other, so only a
  /// checkpoint can cause a wait.
  private static let busyMilliseconds: Int32 = 5000

  /// The lookaside slots of a connection for small, short-lived values (sqlite.org/malloc.html#lookaside): 8 KiB instead of 48 KiB, because
  /// a service has a connection for each account.
  private static let lookaside: (size: Int32, count: Int32) = (512, 16)

  package let path: String
  private let queue: DispatchQueue?
  private var handle: OpaquePointer?
  private var statements: [SQLText: SQLiteStatement] = [:]
  /// Reads the version. This statement needs no schema, and a connection keeps it if it was used for nothing else.
  private var readVersion: SQLiteStatement?
  /// Whether this connection is counted in ``WarmConnections``, because it was used since its last rest.
  private(set) var isWarm = false
  /// Whether SQLite may have read the schema since the last rest.
  private var hasSchema = false
  /// Tracks the length of the write-ahead log; `nil` for connections that do not write.
  private var log: SQLiteLog?
  /// Limits the work of reading a foreign file; `nil` for other files.
  private var steps: SQLiteSteps?
  private let access: SQLiteAccess

  /// Opens the file. `.writing` creates it with mode 0600 if it does not exist; SQLite gives `-wal` and `-shm` the same mode. The file is
  /// not read yet. If it is not a database, the first statement fails.
  package init(_ path: String, _ access: SQLiteAccess, queue: DispatchQueue? = nil) throws(StorageError) {
    self.path = path
    self.queue = queue
    self.access = access
    if access == .writing {
      do throws(SystemError) {
        try PrivateFile.create(path)
        try PrivateFile.checkDatabase(path)
      } catch { throw StorageError(error) }
    }
    let flags =
      switch access {
      case .reading, .salvaging, .foreign: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
      }
    var opened: OpaquePointer?
    csqlite_configure()
    // One queue uses the connection, so SQLite needs no mutex.
    let code = unsafe sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, access == .writing ? csqlite_log_vfs() : nil)
    guard code == SQLITE_OK else {
      let error = unsafe StorageError(of: opened, code: code, file: path)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = unsafe opened
    unsafe sqlite3_busy_timeout(opened, Self.busyMilliseconds)
    // This must precede the first statement, which would use slots. If SQLite refuses this, the connection only uses more memory.
    unsafe csqlite_set_lookaside(opened, Self.lookaside.size, Self.lookaside.count)
    // This must precede the first read.
    if let opened = unsafe opened { try unsafe SQLiteRestrictions.apply(to: opened, for: access, file: path) }
    if access == .foreign {
      let size: Int
      do throws(SystemError) { size = try FileStatus.of(path).size } catch { throw StorageError(error) }
      steps = unsafe opened.map { unsafe SQLiteSteps(of: $0, fileOf: size) }
    }
    if access == .writing { log = unsafe opened.map { unsafe SQLiteLog(of: $0) } }
  }

  deinit { close() }

  /// Closes the file and checkpoints the write-ahead log. Any later use traps.
  /// - Parameter keepingLog: whether to keep the log next to the file instead (sqlite.org/c3ref/c_dbconfig_defensive.html,
  ///   SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE). The log has already been synced.
  package func close(keepingLog: Bool = false) {
    statements = [:]
    readVersion = nil
    if isWarm { WarmConnections.leave() }
    isWarm = false
    if keepingLog, let handle = unsafe handle {
      _ = unsafe csqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    if let handle = unsafe handle { unsafe sqlite3_close_v2(handle) }
    unsafe handle = nil
    log = nil
    steps = nil
  }

  /// Runs a statement and passes each row to a closure. The prepared statement is cached.
  /// - Parameter values: one for each `?`, in order.
  package func run(
    _ sql: String, _ values: [SQLiteValue] = [], _ row: (borrowing SQLiteRow) throws(StorageError) -> Void = { _ in }
  ) throws(StorageError) {
    try statement(sql).run(values, row)
  }

  /// Runs statements without values, separated by semicolons, and ignores their rows. Nothing is kept of them (`sqlite3_exec`).
  func runAll(_ sql: String) throws(StorageError) {
    let connection = unsafe warmed(needingSchema: true)
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe StorageError(of: connection, code: code, file: path) }
  }

  /// Runs a statement and converts its first row; `nil` if there is none.
  package func first<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ value: (borrowing SQLiteRow) -> Value
  ) throws(StorageError) -> Value? {
    var first: Value?
    try run(sql, values) { row throws(StorageError) in if first == nil { first = value(row) } }
    return first
  }

  /// Runs a statement and converts each row.
  package func all<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ value: (borrowing SQLiteRow) -> Value
  ) throws(StorageError) -> [Value] {
    var all: [Value] = []
    try run(sql, values) { row throws(StorageError) in all.append(value(row)) }
    return all
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(opened())) }

  /// The row id of the last INSERT.
  package var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(opened()) }

  /// Returns whether the database has a table. This needs no statement (sqlite.org/c3ref/table_column_metadata.html).
  func hasTable(_ name: String) throws(StorageError) -> Bool {
    let connection = unsafe warmed(needingSchema: true)
    switch unsafe sqlite3_table_column_metadata(connection, "main", name, nil, nil, nil, nil, nil, nil) {
    case SQLITE_OK: return true
    case SQLITE_ERROR: return false
    case let code: throw unsafe StorageError(of: connection, code: code, file: path)
    }
  }

  /// A number that changes when another connection has written (sqlite.org/pragma.html#pragma_data_version).
  package func version() throws(StorageError) -> Int64 {
    let statement: SQLiteStatement
    let connection = unsafe warmed(needingSchema: false)
    if let readVersion {
      statement = readVersion
    } else {
      statement = try unsafe SQLiteStatement("PRAGMA data_version", on: connection, file: path, usesModules: false)
      readVersion = statement
    }
    var version: Int64 = 0
    try statement.run([]) { row throws(StorageError) in version = row.integer(0, in: 0...Int64(Int32.max)) }
    return version
  }

  /// Runs the body in a transaction, which is committed if the body returns and rolled back if it throws.
  package func transaction<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
    // IMMEDIATE acquires the write lock at the beginning, so that no other connection can write between a read and a write.
    try run("BEGIN IMMEDIATE")
    do throws(StorageError) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if unsafe sqlite3_get_autocommit(opened()) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Checkpoints the log if it is long, frees cached pages and, if many connections have prepared statements, frees those too. Call it
  /// while the queue is idle.
  ///
  /// After a checkpoint, the log is restarted by a separate transaction, so that its header has been synced before the next transaction
  /// needs it.
  /// - Parameter renewal: a statement that writes without changing anything.
  package func rest(renewingLogBy renewal: String) throws(StorageError) {
    if let log, log.isLong, try first("PRAGMA wal_checkpoint(PASSIVE)", [], { $0.amount(1) == $0.amount(2) }) == true {
      try run(renewal)
    }
    if isWarm, WarmConnections.leaveIfTooMany() { dropStatements() }
    _ = unsafe sqlite3_db_release_memory(opened())
  }

  /// Ends a reading transaction, and frees everything but the parsed schema and the page cache.
  /// - Returns: whether the connection can be used again.
  func endReading() -> Bool {
    if unsafe sqlite3_get_autocommit(opened()) == 0 { try? run("ROLLBACK") }
    statements = [:]
    readVersion = nil
    return unsafe sqlite3_get_autocommit(opened()) != 0
  }

  /// Frees the prepared statements, for a caller whose statements were needed only once.
  package func forgetStatements() { statements = [:] }

  /// Frees the prepared statements, the parsed schema and the memory of the log's index. They are prepared and read again when they are needed.
  private func dropStatements() {
    isWarm = false
    statements = [:]
    if hasSchema {
      // SQLite would prepare it again without the schema it was prepared with.
      readVersion = nil
      // This does not write (sqlite.org/pragma.html#pragma_writable_schema). If it fails, the schema stays in memory.
      _ = unsafe sqlite3_exec(opened(), "PRAGMA writable_schema = RESET", nil, nil, nil)
      hasSchema = false
    }
    unsafe csqlite_release_log_index(opened())
  }

  /// Returns whether the last writer exited without closing the database, leaving a non-empty log.
  package static func wasLeftOpen(_ path: String) -> Bool {
    guard let log = try? FileStatus.of("\(path)-wal") else { return false }
    return log.size > 0
  }

  /// Replaces the content with the content of another connection (`sqlite3_backup_init`).
  func takePages(of source: SQLiteConnection) throws(StorageError) {
    let (handle, other) = unsafe (opened(), source.opened())
    guard let backup = unsafe sqlite3_backup_init(handle, "main", other, "main") else {
      throw unsafe StorageError(of: handle, code: sqlite3_extended_errcode(handle), file: path)
    }
    let code = unsafe sqlite3_backup_step(backup, -1)
    let result = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, result == SQLITE_OK else {
      throw unsafe StorageError(of: handle, code: result == SQLITE_OK ? code : result, file: source.path)
    }
  }

  private func statement(_ sql: String) throws(StorageError) -> SQLiteStatement {
    let connection = unsafe warmed(needingSchema: true)
    let text = SQLText(text: sql)
    if let kept = statements[text] { return kept }
    let new = try unsafe SQLiteStatement(sql, on: connection, file: path, usesModules: access != .foreign)
    statements[text] = new
    return new
  }

  /// Returns the handle for a use that takes memory until the next rest.
  /// - Parameter needingSchema: whether SQLite reads the schema; it always reads the log's index.
  private func warmed(needingSchema: Bool) -> OpaquePointer {
    if !isWarm, access == .writing {
      isWarm = true
      WarmConnections.enter()
    }
    if needingSchema { hasSchema = true }
    return unsafe opened()
  }

  func opened() -> OpaquePointer {
    if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
    guard let handle = unsafe handle else { preconditionFailure("a closed database was used") }
    return unsafe handle
  }
}

/// A statement's text as a key. Only its length is hashed, because hashing a whole text took as long as a short statement.
private struct SQLText: Hashable {
  let text: String

  func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
}

/// Limits the steps of SQLite's virtual machine when it reads a foreign file, because a corrupt file can cause endless loops. The limit is
/// far above the number of steps for an intact file of the same size.
final class SQLiteSteps {
  /// The number of steps between two checks of the limit.
  private static let stride: Int32 = 10_000
  /// The limit for an empty file: a few seconds on one core.
  private static let least = 20_000_000
  /// The additional steps for each byte. A tweet takes a few hundred bytes, and about ten thousand steps if the file has no index for its
  /// pictures.
  private static let perByte = 300

  private var left: Int

  /// - Parameters:
  ///   - connection: must be closed before this object is released.
  ///   - size: the size of the file in bytes.
  init(of connection: OpaquePointer, fileOf size: Int) {
    let most = (Int.max - Self.least) / Self.perByte
    left = Self.least + min(size, most) * Self.perByte
    unsafe sqlite3_progress_handler(
      connection, Self.stride,
      { steps in
        let steps = unsafe Unmanaged<SQLiteSteps>.fromOpaque(steps!).takeUnretainedValue()
        steps.left -= Int(SQLiteSteps.stride)
        return steps.left > 0 ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
