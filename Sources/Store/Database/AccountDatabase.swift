package import CivilTime
package import Dispatch
package import Platform

/// The posts of one account, what is known of their timeline, and the state of its refreshing: `timeline.db`.
///
/// It belongs to the account's serial queue. Give the queue, and any use elsewhere traps.
package final class AccountDatabase {
  let connection: SQLiteConnection
  /// Columns of `state` that this file does not have, because it is only looked at and its owner has not brought it up to date.
  let missingColumns: [String]
  /// Whether it says what was spent; not so where `missingColumns` can be.
  let hasSpending: Bool
  /// Where a damaged file lies that stood in this one's place when it was opened; `nil` when all was well.
  package let damagedFile: String?

  /// The file that was opened, by whatever name it goes; `nil` where there was none to be had.
  private let file: FileFacts.Identity?

  private init(
    _ connection: SQLiteConnection, _ file: FileFacts.Identity?, damagedFile: String? = nil,
    missingColumns: [String] = [], hasSpending: Bool = true
  ) {
    self.missingColumns = missingColumns
    self.hasSpending = hasSpending
    self.connection = connection
    self.file = file
    self.damagedFile = damagedFile
  }

  /// Whether it has no file to be in.
  package var isStandIn: Bool { file == nil }

  /// Whether the file that was opened is still the one at its path: what is written into another one is lost with it.
  package var isInPlace: Bool { file != nil && (try? FileFacts.of(connection.path))?.identity == file }

  /// Opens the account's database as its owner, making the folder and an empty one where there is none.
  ///
  /// A file that is no database, not ours or damaged is moved beside (``damagedFile``) and a new one begun.
  /// - Throws: `.newerSchema`, with the file untouched.
  package static func open(
    _ files: AccountFiles, at now: Timestamp, queue: DispatchQueue? = nil
  ) throws(AccountDatabaseError) -> AccountDatabase {
    let path = files.database
    do {
      try Folder.create(files.dataFolder)
      if let connection = try sound(path, queue: queue) {
        return AccountDatabase(connection, try FileFacts.of(path).identity)
      }
      let aside = try DatabaseFile.setAside(path, at: now)
      guard let connection = try sound(path, queue: queue) else { preconditionFailure("an empty database is sound") }
      return AccountDatabase(connection, try FileFacts.of(path).identity, damagedFile: aside)
    } catch let error as AccountDatabaseError {
      throw error
    } catch let error as SystemError {
      throw .system(error)
    } catch let error as SQLiteError {
      throw .sqlite(error)
    } catch {
      preconditionFailure("opening a database throws three kinds of errors")
    }
  }

  /// An empty database without a file, for an account whose own cannot be had for now: nothing in it outlives the process, and
  /// it is never ``isInPlace``.
  package static func standIn(for files: AccountFiles, queue: DispatchQueue) throws(AccountDatabaseError)
    -> AccountDatabase
  {
    do {
      let connection = try SQLiteConnection(files.database, .memory, queue: queue)
      try DatabaseSchema.create(in: connection)
      return AccountDatabase(connection, nil)
    } catch let error as SQLiteError {
      throw .sqlite(error)
    } catch {
      preconditionFailure("a database in memory throws one kind of errors")
    }
  }

  /// Opens the account's database to look at it, while its owner may be writing.
  /// - Returns: `nil` when there is none, or none that has been begun.
  package static func openForReading(_ files: AccountFiles) throws(AccountDatabaseError) -> AccountDatabase? {
    guard File.exists(files.database) else { return nil }
    do {
      let connection = try SQLiteConnection(files.database, .reading)
      switch try DatabaseSchema.find(in: connection) {
      case .current: return AccountDatabase(connection, nil)
      case .older(let version):
        return AccountDatabase(
          connection, nil, missingColumns: version < 2 ? DatabaseSchema.newInVersion2 : [], hasSpending: false)
      case .empty, .foreign: return nil
      case .newer(let version): throw AccountDatabaseError.newerSchema(files.database, version)
      }
    } catch let error as AccountDatabaseError {
      throw error
    } catch let error as SQLiteError {
      throw .sqlite(error)
    } catch {
      preconditionFailure("opening a database throws two kinds of errors")
    }
  }

  /// Closes the file. Any later use traps.
  package func close() { connection.close() }

  /// Moves a database aside that turned out to be damaged while it was used (`SQLiteError.isDamage`); close it before.
  /// - Returns: where it is now. The next opening begins a new one.
  package static func setAsideDamaged(_ files: AccountFiles, at now: Timestamp) throws(SystemError) -> String {
    try DatabaseFile.setAside(files.database, at: now)
  }

  /// A connection to a database that can be used, or `nil` when the file is to be set aside.
  private static func sound(_ path: String, queue: DispatchQueue?) throws -> SQLiteConnection? {
    let wasLeftOpen = DatabaseFile.wasLeftOpen(path)
    let connection = try SQLiteConnection(path, .writing, queue: queue)
    do {
      // Before anything is written: a newer file stays as it is.
      let finding = try DatabaseSchema.find(in: connection)
      switch finding {
      case .newer(let version): throw AccountDatabaseError.newerSchema(path, version)
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
      if finding == .empty { try DatabaseSchema.create(in: connection) }
      if case .older(let version) = finding { try DatabaseSchema.upgrade(connection, from: version) }
      return connection
    } catch let error as SQLiteError where error.isDamage {
      connection.close()
      return nil
    } catch {
      connection.close()
      throw error
    }
  }
}
