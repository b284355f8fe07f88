internal import Platform

/// The posts of one account, what is known of their timeline, and the state of its refreshing: `timeline.db`.
///
/// It belongs to the account's serial queue. Give the queue, and any use elsewhere traps.
package final class AccountDatabase {
  let connection: SQLiteConnection
  /// Columns of `state` that this file does not have, because it is only looked at and its owner has not brought it up to date.
  let missingColumns: [String]
  /// Whether it says what was spent; not so where `missingColumns` can be.
  let hasSpending: Bool
  /// Whether it knows authors, edits and words; not so a file that its owner has not brought up to date yet.
  package let hasArchive: Bool
  /// Whether its search index is in parts; not so in a file of version 4 that its owner has not brought up to date yet.
  let hasSearchParts: Bool
  /// Where a damaged file lies that stood in this one's place when it was opened; `nil` when all was well.
  package let damagedFile: String?
  /// What was read of that file.
  package internal(set) var salvaged = Salvaged()

  /// Is told of each change of its posts.
  package var observer: (any PostObserver)?

  /// The file that was opened, by whatever name it goes; `nil` where there was none to be had.
  private let file: FileFacts.Identity?

  init(
    _ connection: SQLiteConnection, _ file: FileFacts.Identity?, damagedFile: String? = nil,
    missingColumns: [String] = [], hasSpending: Bool = true, hasArchive: Bool = true, hasSearchParts: Bool = true
  ) {
    self.hasArchive = hasArchive
    self.hasSearchParts = hasSearchParts
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

  /// For when nothing waits: brings a log that has grown into the file, and lets go of memory that the next refresh gets again.
  package func rest() throws(SQLiteError) {
    // SQLite writes the version's page whether it is another one or not.
    try connection.rest(renewingLogBy: DatabaseSchema.statementOfVersion)
  }

  /// Closes the file. Any later use traps.
  /// - Parameter keepingLog: whether the log stays as it is, for the next owner; else it is brought into the file, which syncs the disk.
  package func close(keepingLog: Bool = false) { connection.close(keepingLog: keepingLog) }
}
