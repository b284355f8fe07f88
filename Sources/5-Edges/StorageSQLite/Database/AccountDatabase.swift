internal import Platform
package import Storage
internal import Timeline

/// One account's database, `timeline.db`: posts, timeline spans, and the refresh state.
///
/// Belongs to the account's serial queue. If that queue was passed when the database was opened, using the database on another queue traps.
package final class AccountDatabase: AccountStorage {
  let connection: SQLiteConnection
  /// Columns of `state` that an older file lacks. Only files opened for reading can lack columns.
  let missingColumns: [String]
  /// Whether spending is recorded; false if columns are missing.
  let hasSpending: Bool
  /// Whether authors, edits and the search index exist. An older file lacks them until the state owner upgrades it.
  package let hasArchive: Bool
  /// Whether the search index is divided into parts. A version 4 file's index is undivided until the state owner upgrades
  /// the file.
  let hasSearchParts: Bool
  /// Whether filtered posts are recorded. A version 4 file records none until it is upgraded.
  var hasFiltered: Bool { hasSearchParts }
  package internal(set) var damage: StorageDamage?
  package var observer: (any PostObserver)?
  /// The number of writes, including those of other connections.
  private var writes: Int64 = 0
  /// The last value of `PRAGMA data_version`. It changes when another connection has written.
  private var version: Int64?
  /// What is known of the content without reading it.
  private var memory = DatabaseMemory()
  private var isWriting = false
  /// Whether the tables of timelines other than home exist. Once they exist, they stay.
  private(set) var hasOthers = false
  /// The purges in progress, by number.
  var purges: [Int64: PurgeWork] = [:]

  /// The identity of the opened file; `nil` for a database without a file.
  private let file: FileStatus.Identity?
  /// Takes the connection back when the database is closed; `nil` if the connection is closed then.
  private var takesBack: (() -> Void)?

  init(
    _ connection: SQLiteConnection, _ file: FileStatus.Identity?, damage: StorageDamage? = nil,
    missingColumns: [String] = [], hasSpending: Bool = true, hasArchive: Bool = true, hasSearchParts: Bool = true,
    takesBack: (() -> Void)? = nil
  ) {
    self.takesBack = takesBack
    self.hasArchive = hasArchive
    self.hasSearchParts = hasSearchParts
    self.missingColumns = missingColumns
    self.hasSpending = hasSpending
    self.connection = connection
    self.file = file
    self.damage = damage
    // A database whose schema cannot be read throws the error when it is used.
    hasOthers = (try? connection.hasTable(OtherTimelineTables.name)) ?? false
  }

  /// Whether the database has no file.
  package var isTemporary: Bool { file == nil }

  /// Whether the path still leads to the opened file. Data written to a moved or deleted file is lost.
  package var isInPlace: Bool { file != nil && (try? FileStatus.of(connection.path))?.identity == file }

  package var location: String { connection.path }

  package func performMaintenance(isLong: Bool = false) throws(StorageError) {
    // A long-running process upgrades a version 4 index in small steps.
    if isLong { try divideSearch() }
    // SQLite writes the page that contains the version even if the value does not change.
    try connection.rest(renewingLogBy: DatabaseSchema.statementOfVersion)
  }

  /// Copies the readable content of a corrupt database into this empty one.
  package func salvage(from path: String) -> Salvaged {
    Salvage.copy(from: path, into: connection) { (state, spans) throws(StorageError) in
      // The posts may have needed the tables of other timelines.
      hasOthers = try connection.hasTable(OtherTimelineTables.name)
      if let state { _ = try write(state, expecting: revision()) }
      _ = try write(expecting: revision()) { () throws(StorageError) in
        for (timeline, spans) in spans { try replaceSpans(Spans(), by: spans, of: timeline) }
      }
    }
  }

  /// The maximum size in bytes of a file that can be checked for damage within about a quarter of a second.
  private static let quickFile = 64 << 20
  /// The maximum length in bytes of a log that can be read within about a millisecond.
  private static let quickLog = 1 << 20

  package var isQuickToReopen: Bool {
    guard let file = try? FileStatus.of(location), let log = try? FileStatus.of("\(location)-wal") else { return false }
    return file.size <= Self.quickFile && log.size <= Self.quickLog
  }

  package func close() { close(inHaste: false) }

  /// Closes the file. Any later use traps.
  /// - Parameter inHaste: whether to leave the log to the next state owner. Otherwise, the log is checkpointed, which syncs
  ///   the disk.
  package func close(inHaste: Bool) {
    if let takesBack = takesBack.take() { return takesBack() }
    connection.close(keepingLog: inHaste)
  }
}

/// Revisions. The lock ensures that no other process writes to the file, so a write by another connection is unexpected. SQLite reports
/// such a write (sqlite.org/pragma.html#pragma_data_version), so no revision needs to be stored.
extension AccountDatabase {
  package func revision() throws(StorageError) -> Revision {
    let now = try connection.version()
    if version != now { memory = DatabaseMemory() }
    if let version, version != now {
      writes += 1
      try findOthers()
    }
    version = now
    return Revision(writes)
  }

  /// Runs the body in a transaction if there has been no other write since the revision.
  func write<Value>(
    expecting expected: Revision, _ body: () throws(StorageError) -> Value
  ) throws(StorageError) -> Written<Value> {
    isWriting = true
    defer { isWriting = false }
    memory = DatabaseMemory()
    let hadOthers = hasOthers
    do throws(StorageError) {
      let value = try connection.transaction { () throws(StorageError) in
        guard try revision() == expected else {
          throw StorageError(.outdated, "\(location): another process has written to it")
        }
        return try body()
      }
      writes += 1
      return Written(value, Revision(writes))
    } catch {
      // The transaction may have created the tables, and has been rolled back.
      if hasOthers, !hadOthers { hasOthers = (try? OtherTimelineTables.exist(in: connection)) ?? false }
      throw error
    }
  }
}

/// The tables of other timelines are created by the first write that concerns such a timeline.
extension AccountDatabase {
  private func findOthers() throws(StorageError) {
    if !hasOthers { hasOthers = try OtherTimelineTables.exist(in: connection) }
  }

  /// Returns whether the tables exist now. The owner of the file knows; any other connection asks again, because the owner may have created
  /// them.
  func seesOthers() throws(StorageError) -> Bool {
    if !isOwned { try findOthers() }
    return hasOthers
  }

  /// Returns a timeline's number; `nil` if the database does not contain the timeline.
  func number(of timeline: TimelineName) throws(StorageError) -> Int64? {
    guard try seesOthers() else { return nil }
    return try OtherTimelineTables.number(of: timeline, in: connection)
  }

  /// Returns a timeline's number, and creates the timeline if necessary. Call this within a transaction.
  func newNumber(of timeline: TimelineName) throws(StorageError) -> Int64 {
    if !hasOthers {
      try OtherTimelineTables.create(in: connection)
      hasOthers = true
    }
    return try OtherTimelineTables.newNumber(of: timeline, in: connection)
  }

  /// Returns the table of posts for a transaction.
  func postTable() -> PostTable { PostTable(connection, hasOthers: hasOthers) }

  /// Notifies the observer of a committed transaction's changes.
  func notify(_ changes: [TimelineName: PostChanges]) {
    for (timeline, changes) in changes { observer?.postsChanged(changes, in: timeline) }
  }
}

/// Values that are read once and then remembered until this process writes, or notices that another process has written.
extension AccountDatabase {
  /// Returns a remembered value, or reads and remembers it. During a transaction, and if another process owns the database, the value is
  /// read each time.
  func remembered<Value>(
    _ member: WritableKeyPath<DatabaseMemory, Value?>, _ read: () throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    if isOwned, !isWriting, let known = memory[keyPath: member] { return known }
    let value = try read()
    if isOwned, !isWriting { memory[keyPath: member] = value }
    return value
  }

  /// Returns a remembered value of a timeline in the same way.
  func remembered<Value>(
    _ member: WritableKeyPath<DatabaseMemory.TimelineMemory, Value?>, of timeline: TimelineName,
    _ read: () throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    if isOwned, !isWriting, let known = memory[timeline][keyPath: member] { return known }
    let value = try read()
    if isOwned, !isWriting { memory[timeline][keyPath: member] = value }
    return value
  }

  /// Stores a page, unless it equals the last page, storing that changed nothing, and nothing was written since.
  func insertUnlessRepeated(
    _ page: PageWrite, expecting revision: Revision, _ insert: () throws(StorageError) -> Written<StoredPage>
  ) throws(StorageError) -> Written<StoredPage> {
    if let last = memory[page.timeline].page, revision == Revision(writes), let state = memory.state,
      page.state?.differsOnlyInRefreshing(from: state) == true, PageDigest(page)?.repeats(last) == true
    {
      return Written(StoredPage(new: [], isStateDeferred: true), revision)
    }
    var known = memory
    let written = try insert()
    if isOwned, written.value.isStateDeferred {
      known[page.timeline].page = PageDigest(page)
      memory = known
    }
    return written
  }

  /// Whether this process owns the file.
  private var isOwned: Bool { file != nil }
}
