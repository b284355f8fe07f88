package import Dispatch
package import Folders
package import Platform
package import Storage
package import Time

extension AccountDatabase {
  /// Opens the account's database as the state owner, creating the folder and an empty database if there is none.
  ///
  /// A file that is corrupt or not a database of this program is set aside. It is replaced by a new database with the content that can
  /// still be read from the old one (``damage``); this takes as long as reading the file.
  /// - Parameter wasClosedWell: whether the previous state owner is known to have closed the database since the machine
  ///   booted, possibly without checkpointing the log. If not, a remaining log indicates a crash, and the whole file is checked for
  ///   corruption.
  /// - Throws: `.newerVersion`, leaving the file unchanged.
  package static func open(
    _ files: AccountFiles, at now: Timestamp, wasClosedWell: Bool = false, queue: DispatchQueue? = nil
  ) throws(StorageError) -> AccountDatabase {
    let path = files.database
    return try convertingErrors {
      try Folder.create(files.dataFolder)
      try DatabaseTemplate.create(path)
      if let connection = try usableConnection(path, wasClosedWell: wasClosedWell, queue: queue) {
        return AccountDatabase(connection, try FileStatus.of(path).identity)
      }
      let aside = try setAsideDamaged(files, at: now)
      try DatabaseTemplate.create(path)
      guard let connection = try usableConnection(path, queue: queue) else {
        preconditionFailure("an empty database is usable")
      }
      let database = AccountDatabase(connection, try FileStatus.of(path).identity)
      database.damage = StorageDamage(aside: aside, salvaged: database.salvage(from: aside))
      return database
    }
  }

  /// Creates an empty database without a file, for an account whose own database cannot currently be opened. Its content is lost when the process
  /// exits, and it is never ``isInPlace``.
  package static func temporaryStorage(for files: AccountFiles, queue: DispatchQueue?) throws(StorageError)
    -> AccountDatabase
  {
    let connection = try SQLiteConnection(files.database, .memory, queue: queue)
    try DatabaseSchema.create(in: connection)
    return AccountDatabase(connection, nil)
  }

  /// Opens the account's database for reading, even while the state owner writes to it.
  /// - Parameter isSnapshot: whether all reads until the database is closed see the same state. This takes fewer system calls than a
  ///   transaction for each read, but the write-ahead log cannot be reset in the meantime. Use this only for short reads.
  /// - Parameter readers: keeps the connection for the next reader; `nil` to close it.
  /// - Returns: `nil` if the database does not exist or has no content yet.
  package static func openForReading(
    _ files: AccountFiles, isSnapshot: Bool = false, by readers: IdleReaders? = nil
  ) throws(StorageError) -> AccountDatabase? {
    guard File.exists(files.database) else { return nil }
    return try convertingErrors {
      try PrivateFile.checkDatabase(files.database)
      let reader = try readers?.open(files.database)
      let connection = if let reader { reader.connection } else { try SQLiteConnection(files.database, .reading) }
      if isSnapshot { try connection.run("BEGIN") }
      switch try DatabaseSchema.find(in: connection) {
      case .current:
        return AccountDatabase(
          connection, nil,
          takesBack: readers.flatMap { readers in reader.map { reader in { readers.take(back: reader) } } })
      case .older(let version):
        return AccountDatabase(
          connection, nil, missingColumns: DatabaseSchema.missingColumns(before: version), hasSpending: version >= 3,
          hasArchive: version >= 4, hasSearchParts: version >= 5)
      case .empty, .foreign: return nil
      case .newer(let version): throw DatabaseSchema.isNewer(files.database, version)
      }
    }
  }

  /// The size of the writing connection's page cache in KiB: the normal size, and the size during a transaction that changes thousands of
  /// posts.
  private static let cache = 400
  private static let cacheOfLargeChange = 32_000

  /// Enlarges the page cache for a large transaction, until ``endLargeChange()``.
  func beginLargeChange() throws(StorageError) {
    try connection.run("PRAGMA cache_size = -\(Self.cacheOfLargeChange)")
  }

  func endLargeChange() { try? connection.run("PRAGMA cache_size = -\(Self.cache)") }

  /// Converts errors that occur while a database is opened to `StorageError`.
  private static func convertingErrors<Opened>(_ open: () throws -> Opened) throws(StorageError) -> Opened {
    do { return try open() } catch let error as StorageError {
      throw error
    } catch let error as SystemError {
      throw StorageError(error)
    } catch {
      preconditionFailure("opening a database throws two types of errors")
    }
  }

  /// Sets aside a corrupt database, which must be closed. Its log is renamed with it, so that SQLite still finds the log.
  /// - Returns: the new location. The next time the account's database is opened, a new one is created, and ``salvage(from:)`` imports the
  ///   readable content of the old one.
  package static func setAsideDamaged(_ files: AccountFiles, at now: Timestamp) throws(SystemError) -> String {
    let path = files.database
    let aside = FreePath.beside(path, "corrupt", at: now, suffixes: ["", "-wal"])
    // The log is renamed first, because SQLite would apply a remaining log to the next database.
    if File.exists("\(path)-wal") { try File.rename("\(path)-wal", to: "\(aside)-wal") }
    try File.remove("\(path)-shm")
    try File.rename(path, to: aside)
    if let folder = Folder.parent(of: path) { try Folder.sync(folder) }
    return aside
  }

  /// Returns a connection to a usable database, or `nil` if the file must be set aside. A missing or empty file becomes an empty database.
  private static func usableConnection(
    _ path: String, wasClosedWell: Bool = false, queue: DispatchQueue?
  ) throws -> SQLiteConnection? {
    let wasLeftOpen = !wasClosedWell && SQLiteConnection.wasLeftOpen(path)
    let connection = try SQLiteConnection(path, .writing, queue: queue)
    do {
      // This comes before the first write, so that a file from a newer version is left unchanged.
      let finding = try DatabaseSchema.find(in: connection)
      switch finding {
      case .newer(let version): throw DatabaseSchema.isNewer(path, version)
      case .foreign:
        connection.close()
        return nil
      case .empty, .current, .older: break
      }
      // The check reads the whole file, so it runs only after a crash.
      if wasLeftOpen, try connection.first("PRAGMA quick_check(1)", [], { $0.text(0) }) != "ok" {
        connection.close()
        return nil
      }
      // This must precede the first page.
      if finding == .empty { try connection.run("PRAGMA page_size = \(DatabaseSchema.pageSize)") }
      // A commit is durable when it returns, and readers do not block it. Removed content must not remain in the file.
      //
      // Most reads, such as the 800 posts to be published, happen once. Fresh memory costs more than reading a few pages again. Changed
      // pages stay in memory up to 2 MB, which is the default limit (sqlite.org/pragma.html#pragma_cache_spill).
      try connection.runAll(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -\(cache); PRAGMA cache_spill = -2000; PRAGMA secure_delete = ON"
      )
      if finding == .empty { try DatabaseSchema.create(in: connection) }
      if case .older(let version) = finding {
        try DatabaseSchema.upgrade(connection, from: version) { () throws(StorageError) in
          try PostTable.indexAll(in: connection)
        }
      }
      connection.forgetStatements()
      return connection
    } catch let error as StorageError where error.kind == .damaged {
      connection.close()
      return nil
    } catch {
      connection.close()
      throw error
    }
  }
}
