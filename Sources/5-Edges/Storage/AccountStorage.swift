/// The storage of one account, opened by the state owner: posts, state and spending. Belongs to the account's queue.
///
/// Each write either succeeds completely or changes nothing. The writer passes the revision that it knows; if a different revision is
/// current, the write fails with `.outdated`. Arguments and results are values, and no method calls back, so a store on another machine can
/// perform each operation in one round trip.
package protocol AccountStorage: StateStorage, LedgerStorage, PostStorage {
  /// Returns the current revision.
  func revision() throws(StorageError) -> Revision
  /// The storage location, to show to the user.
  var location: String { get }
  /// Whether the storage is still at its location. Data written to a moved or deleted file is lost.
  var isInPlace: Bool { get }
  /// Whether the storage is temporary, for an account whose own storage cannot be opened now. Its content is lost when the process exits.
  var isTemporary: Bool { get }
  /// The corruption found and repaired when the storage was opened; `nil` if there was none.
  var damage: StorageDamage? { get }

  /// Performs the maintenance postponed until the queue is idle.
  /// - Parameter isLong: whether the process keeps running, so that long work can be done in small steps.
  func performMaintenance(isLong: Bool) throws(StorageError)
  /// Erases all traces of removed content.
  /// - Returns: false if a reader prevented this; try again later.
  func eraseTraces() throws(StorageError) -> Bool
  /// Imports the readable parts of storage that was set aside. Does not change existing content.
  /// - Parameter aside: a location that ``StorageProvider/setAsideDamaged(_:at:)`` returned.
  func salvage(from aside: String) -> Salvaged
  /// Whether leaving slow maintenance to the next process costs little, even if that process has to check the whole storage because the
  /// machine was restarted in between.
  var isQuickToReopen: Bool { get }
  /// Closes the storage. Any later use traps.
  /// - Parameter inHaste: whether to leave slow maintenance to the next state owner.
  func close(inHaste: Bool)
}
