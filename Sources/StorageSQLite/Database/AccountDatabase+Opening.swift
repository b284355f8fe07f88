package import CivilTime
package import Dispatch
package import Files
package import Platform
internal import SQLite
package import Storage

extension AccountDatabase {
  /// Opens the account's database as its owner, making the folder and an empty one where there is none.
  ///
  /// A file that is no database, not ours or damaged is moved beside and a new one begun with what can still be read of it (``damage``), which
  /// takes as long as reading it does.
  /// - Parameter wasClosedWell: whether the owner before is known to have closed it since the machine was started, though it may have kept
  ///   the log. Otherwise a log that is left is a sign of damage that is looked for, which takes as long as reading the file does.
  /// - Throws: `.newerVersion`, with the file untouched.
  package static func open(
    _ files: AccountFiles, at now: Timestamp, wasClosedWell: Bool = false, queue: DispatchQueue? = nil
  ) throws(StorageError) -> AccountDatabase {
    let path = files.database
    return try opening {
      try Folder.create(files.dataFolder)
      if let connection = try sound(path, wasClosedWell: wasClosedWell, queue: queue) {
        return AccountDatabase(connection, try FileStatus.of(path).identity)
      }
      let aside = try DatabaseFile.setAside(path, at: now)
      guard let connection = try sound(path, queue: queue) else { preconditionFailure("an empty database is sound") }
      let database = AccountDatabase(connection, try FileStatus.of(path).identity)
      database.damage = StorageDamage(aside: aside, salvaged: Salvage.copy(from: aside, into: database))
      return database
    }
  }

  /// An empty database without a file, for an account whose own cannot be had for now: nothing in it outlives the process, and
  /// it is never ``isInPlace``.
  package static func standIn(for files: AccountFiles, queue: DispatchQueue?) throws(StorageError)
    -> AccountDatabase
  {
    let connection = try SQLiteConnection(files.database, .memory, queue: queue)
    try DatabaseSchema.create(in: connection)
    return AccountDatabase(connection, nil)
  }

  /// Opens the account's database to look at it, while its owner may be writing.
  /// - Parameter isSnapshot: whether all that is read until it is closed is of one moment. That takes fewer system calls than as many
  ///   transactions, but the owner's log cannot begin anew meanwhile: for a short look alone.
  /// - Returns: `nil` when there is none, or none that has been begun.
  package static func openForReading(
    _ files: AccountFiles, isSnapshot: Bool = false
  ) throws(StorageError) -> AccountDatabase? {
    guard File.exists(files.database) else { return nil }
    return try opening {
      try PrivateFile.checkDatabase(files.database)
      let connection = try SQLiteConnection(files.database, .reading)
      if isSnapshot { try connection.run("BEGIN") }
      switch try DatabaseSchema.find(in: connection) {
      case .current: return AccountDatabase(connection, nil)
      case .older(let version):
        return AccountDatabase(
          connection, nil, missingColumns: DatabaseSchema.missingColumns(before: version), hasSpending: version >= 3,
          hasArchive: version >= 4, hasSearchParts: false)
      case .empty, .foreign: return nil
      case .newer(let version): throw DatabaseSchema.isNewer(files.database, version)
      }
    }
  }

  /// How many pages the owner keeps in memory, and while it changes thousands of posts in one transaction.
  private static let pages = 100
  private static let pagesOfLargeChange = 8000

  /// Keeps in memory what a large transaction reads and changes, until ``endLargeChange()``.
  func beginLargeChange() throws(StorageError) {
    try connection.run("PRAGMA cache_size = \(Self.pagesOfLargeChange)")
  }

  func endLargeChange() { try? connection.run("PRAGMA cache_size = \(Self.pages)") }

  /// What opening a database throws, as its callers are told.
  private static func opening<Opened>(_ open: () throws -> Opened) throws(StorageError) -> Opened {
    do { return try open() } catch let error as StorageError {
      throw error
    } catch let error as SystemError {
      throw StorageError(error)
    } catch {
      preconditionFailure("opening a database throws two kinds of errors")
    }
  }

  /// Moves a database aside that turned out to be damaged while it was used (`.damaged`); close it before.
  /// - Returns: where it is now. The next opening begins a new one; ``salvage(from:)`` then brings in what can be read of this one.
  package static func setAsideDamaged(_ files: AccountFiles, at now: Timestamp) throws(SystemError) -> String {
    try DatabaseFile.setAside(files.database, at: now)
  }

  /// A connection to a database that can be used, or `nil` when the file is to be set aside.
  private static func sound(
    _ path: String, wasClosedWell: Bool = false, queue: DispatchQueue?
  ) throws -> SQLiteConnection? {
    let wasLeftOpen = !wasClosedWell && SQLiteConnection.wasLeftOpen(path)
    let connection = try SQLiteConnection(path, .writing, queue: queue)
    do {
      // Before anything is written: a newer file stays as it is.
      let finding = try DatabaseSchema.find(in: connection)
      switch finding {
      case .newer(let version): throw DatabaseSchema.isNewer(path, version)
      case .foreign:
        connection.close()
        return nil
      case .empty, .current, .older: break
      }
      // Reading costs as much as the file is large, so only after a writer that was interrupted.
      if wasLeftOpen, try connection.first("PRAGMA quick_check(1)", [], { $0.text(0) }) != "ok" {
        connection.close()
        return nil
      }
      // The owner's commit is on the disk when it returns; a reader never waits for it.
      try connection.run("PRAGMA journal_mode = WAL")
      try connection.run("PRAGMA synchronous = FULL")
      // Most of what is read, 800 posts to be published, is read once: memory touched for the first time costs more than a few pages
      // that are read again. Changed pages stay in memory as long as by default (sqlite.org/pragma.html#pragma_cache_spill).
      try connection.run("PRAGMA cache_size = \(pages)")
      try connection.run("PRAGMA cache_spill = 500")
      if finding == .empty { try DatabaseSchema.create(in: connection) }
      // What is removed is not to be found in the file any more.
      try connection.run("PRAGMA secure_delete = ON")
      if case .older(let version) = finding {
        try DatabaseSchema.upgrade(connection, from: version) { () throws(StorageError) in
          try PostTable.indexAll(in: connection)
        }
      }
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

/// A database's file with its companions `-wal` and `-shm`.
enum DatabaseFile {
  /// Moves a closed database beside its place; its log goes with it under a name that SQLite finds.
  /// - Returns: where it is now.
  static func setAside(_ path: String, at now: Timestamp) throws(SystemError) -> String {
    let aside = FreePath.beside(path, "corrupt", at: now, suffixes: ["", "-wal"])
    // The log first: one that stayed would be taken for the log of the database that is begun next.
    if File.exists("\(path)-wal") { try File.rename("\(path)-wal", to: "\(aside)-wal") }
    try File.remove("\(path)-shm")
    try File.rename(path, to: aside)
    if let folder = Folder.parent(of: path) { try Folder.sync(folder) }
    return aside
  }
}
