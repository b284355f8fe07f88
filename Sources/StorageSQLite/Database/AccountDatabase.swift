internal import Platform
internal import SQLite
package import Storage

/// The posts of one account, what is known of their timeline, and the state of its refreshing: `timeline.db`.
///
/// It belongs to the account's serial queue. Give the queue, and any use elsewhere traps.
package final class AccountDatabase: AccountStorage {
  let connection: SQLiteConnection
  /// Columns of `state` that this file does not have, because it is only looked at and its owner has not brought it up to date.
  let missingColumns: [String]
  /// Whether it says what was spent; not so where `missingColumns` can be.
  let hasSpending: Bool
  /// Whether it knows authors, edits and words; not so a file that its owner has not brought up to date yet.
  package let hasArchive: Bool
  /// Whether its search index is in parts; not so in a file of version 4 that its owner has not brought up to date yet.
  let hasSearchParts: Bool
  package internal(set) var damage: StorageDamage?
  package var observer: (any PostObserver)?
  /// How many writes there have been, those of others included.
  private var writes: Int64 = 0
  /// What `PRAGMA data_version` said last: another number where another connection has written.
  private var version: Int64?
  /// The purges under way, by their numbers.
  var purges: [Int64: PurgeWork] = [:]

  /// The file that was opened, by whatever name it goes; `nil` where there was none to be had.
  private let file: FileStatus.Identity?

  init(
    _ connection: SQLiteConnection, _ file: FileStatus.Identity?, damage: StorageDamage? = nil,
    missingColumns: [String] = [], hasSpending: Bool = true, hasArchive: Bool = true, hasSearchParts: Bool = true
  ) {
    self.hasArchive = hasArchive
    self.hasSearchParts = hasSearchParts
    self.missingColumns = missingColumns
    self.hasSpending = hasSpending
    self.connection = connection
    self.file = file
    self.damage = damage
  }

  /// Whether it has no file to be in.
  package var isStandIn: Bool { file == nil }

  /// Whether the file that was opened is still the one at its path: what is written into another one is lost with it.
  package var isInPlace: Bool { file != nil && (try? FileStatus.of(connection.path))?.identity == file }

  package var location: String { connection.path }

  package func rest(isLong: Bool = false) throws(StorageError) {
    // A process that stays brings a file of version 4 up to date little by little.
    if isLong { try divideSearch() }
    // SQLite writes the version's page whether it is another one or not.
    try connection.rest(renewingLogBy: DatabaseSchema.statementOfVersion)
  }

  package func salvage(from aside: String) -> Salvaged { Salvage.copy(from: aside, into: self) }

  package func close() { close(inHaste: false) }

  /// Closes the file. Any later use traps.
  /// - Parameter inHaste: whether the log stays as it is, for the next owner; else it is brought into the file, which syncs the disk.
  package func close(inHaste: Bool) { connection.close(keepingLog: inHaste) }
}

/// Revisions. The lock keeps other owners away from the file, so another connection that writes is one that should not be there; SQLite
/// tells of it (sqlite.org/pragma.html#pragma_data_version), and nothing has to be stored for that.
extension AccountDatabase {
  package func revision() throws(StorageError) -> Revision {
    let now = try connection.first("PRAGMA data_version") { $0.integer(0) }
    if let version, version != now { writes += 1 }
    version = now
    return Revision(writes)
  }

  /// Runs the body as one change, if nobody else has written since that revision.
  func write<Value>(
    expecting expected: Revision, _ body: () throws(StorageError) -> Value
  ) throws(StorageError) -> Written<Value> {
    let value = try connection.transaction { () throws(StorageError) in
      guard try revision() == expected else {
        throw StorageError(.outdated, "\(location): somebody else has written to it")
      }
      return try body()
    }
    writes += 1
    return Written(value, Revision(writes))
  }
}
