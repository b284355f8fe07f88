internal import CSQLite
package import Dispatch
internal import Platform
package import Storage

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
  package init(_ path: String, _ access: Access, queue: DispatchQueue? = nil) throws(StorageError) {
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
    // No mutex of SQLite's own: one queue uses the connection.
    let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK else {
      let error = unsafe StorageError(of: opened, code: code, file: path)
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
      let size: Int
      do throws(SystemError) { size = try FileStatus.of(path).size } catch { throw StorageError(error) }
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
    _ sql: String, _ values: [SQLiteValue] = [], _ row: (borrowing SQLiteRow) throws(StorageError) -> Void = { _ in }
  ) throws(StorageError) {
    try statement(sql).run(values, row)
  }

  /// Runs a statement and makes a value of its first row; `nil` when there is none.
  package func first<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ value: (borrowing SQLiteRow) -> Value
  ) throws(StorageError) -> Value? {
    var first: Value?
    try run(sql, values) { row throws(StorageError) in if first == nil { first = value(row) } }
    return first
  }

  /// Runs a statement and makes a value of each row.
  package func all<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ value: (borrowing SQLiteRow) -> Value
  ) throws(StorageError) -> [Value] {
    var all: [Value] = []
    try run(sql, values) { row throws(StorageError) in all.append(value(row)) }
    return all
  }

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(opened())) }

  /// The row that the last INSERT made.
  package var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(opened()) }

  /// Runs the body as one change: all of it is kept on the disk, or after a throw nothing of it.
  package func transaction<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
    // IMMEDIATE takes the writer's place at the beginning, so that nobody can take it between reading and writing.
    try run("BEGIN IMMEDIATE")
    do throws(StorageError) {
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
  package func rest(renewingLogBy renewal: String) throws(StorageError) {
    if let log, log.isLong, try first("PRAGMA wal_checkpoint(PASSIVE)", [], { $0.integer(1) == $0.integer(2) }) == true
    {
      try run(renewal)
    }
    _ = unsafe sqlite3_db_release_memory(opened())
  }

  /// Whether the last one who wrote did not close it: then a log with content is left.
  package static func wasLeftOpen(_ path: String) -> Bool {
    guard let log = try? FileStatus.of("\(path)-wal") else { return false }
    return log.size > 0
  }

  private func statement(_ sql: String) throws(StorageError) -> SQLiteStatement {
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

/// How many steps of SQLite's virtual machine reading a foreign file may take: far more than any sound file of its size needs. A damaged
/// one can lead in circles.
final class SQLiteSteps {
  /// So many steps lie between two looks at what is left.
  private static let stride: Int32 = 10_000
  /// For any file, some seconds of one core.
  private static let least = 20_000_000
  /// A tweet takes a few hundred bytes, and some ten thousand steps where the file has no index for its pictures.
  private static let perByte = 300

  private var left: Int

  /// - Parameters:
  ///   - connection: must be closed before this ends.
  ///   - size: the file's, in bytes.
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

/// The length of a connection's write-ahead log, which decides when it is brought into the file (sqlite.org/wal.html#ckpt).
///
/// A checkpoint syncs the log and the file, which somebody who commits just then would wait for. So SQLite's own one with each thousandth
/// page is replaced: a log that is long is left to a moment of rest, and one that is far too long is brought in by the commit.
final class SQLiteLog {
  /// In pages, from which on a rest brings it into the file: 4 MiB of 4096 bytes.
  static let long: Int32 = 1000
  /// In pages, from which on the next commit does: 16 MiB.
  static let longest: Int32 = 4000

  /// In pages, as of the last commit.
  private var pages: Int32 = 0

  var isLong: Bool { pages >= Self.long }

  /// - Parameter connection: must be closed before this ends.
  init(of connection: OpaquePointer) {
    _ = unsafe sqlite3_wal_hook(
      connection,
      { log, connection, database, pages in
        unsafe Unmanaged<SQLiteLog>.fromOpaque(log!).takeUnretainedValue().pages = pages
        if pages >= SQLiteLog.longest {
          unsafe sqlite3_wal_checkpoint_v2(connection, database, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// What a connection does not do, whatever the file asks for (sqlite.org/security.html).
package enum SQLiteDefences {
  /// The largest value or row of our own files, in bytes: four times the largest answer of a provider, which is kept as it came.
  package static let ownLength: Int32 = 64 << 20
  /// The largest value or row of a foreign file, in bytes. A tweet has 100 KB of text at most.
  package static let foreignLength: Int32 = 256 << 10

  /// Sets them, before anything of the file is read.
  static func put(up connection: OpaquePointer, for access: SQLiteConnection.Access, file: String) throws(StorageError)
  {
    unsafe set(flags(for: access), on: connection)
    for (limit, value) in limits(for: access) { _ = unsafe sqlite3_limit(connection, limit, value) }
    // What a page says of its own cells is checked when it is read.
    let code = unsafe sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nil, nil, nil)
    if code != SQLITE_OK { throw unsafe StorageError(of: connection, code: code, file: file) }
  }

  private static func set(_ flags: [(option: Int32, isOn: Bool)], on connection: OpaquePointer) {
    // Refused only by a library that is older than the option, where there is nothing better to be had.
    for flag in flags { _ = unsafe csqlite_set_flag(connection, flag.option, flag.isOn ? 1 : 0) }
  }

  private static func flags(for access: SQLiteConnection.Access) -> [(option: Int32, isOn: Bool)] {
    [
      (SQLITE_DBCONFIG_ENABLE_FKEY, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      // None of our files has any.
      (SQLITE_DBCONFIG_ENABLE_VIEW, false), (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
      // It keeps SQL from writing to the schema and to tables of the search index, and `writable_schema` is such writing.
      (SQLITE_DBCONFIG_DEFENSIVE, access != .salvaging),
    ]
  }

  private static func limits(for access: SQLiteConnection.Access) -> [(limit: Int32, value: Int32)] {
    guard access == .foreign else { return [(SQLITE_LIMIT_LENGTH, ownLength), (SQLITE_LIMIT_ATTACHED, 0)] }
    return [
      (SQLITE_LIMIT_LENGTH, foreignLength), (SQLITE_LIMIT_SQL_LENGTH, foreignLength), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_COLUMN, 500), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 10),
      (SQLITE_LIMIT_VDBE_OP, 100_000), (SQLITE_LIMIT_FUNCTION_ARG, 10), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
  }
}
