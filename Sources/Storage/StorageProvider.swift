package import CivilTime
package import Dispatch
package import Settings

/// What is stored of all accounts. The programs choose the implementation; nothing else knows which one it is.
package protocol StorageProvider: Sendable {
  /// The accounts of which a token or a timeline is stored, sorted: the configured ones and others.
  func accounts() throws(StorageError) -> [AccountName]
  func hasTimeline(_ key: TimelineKey) -> Bool
  /// Where a timeline is, or would be, for people.
  func location(of key: TimelineKey) -> String

  func tokens(of account: AccountName) -> any TokenStorage
  func starts(of account: AccountName) -> any StartStorage
  /// - Parameter server: `host[:port]` of an authorisation server.
  func clients(at server: String) -> any ClientStorage
  /// - Parameter server: `host[:port]` of an authorisation server.
  func metadata(of server: String) -> any ServerMetadataStorage

  // MARK: Reading

  /// Opens a timeline to read it, while its owner may be writing.
  /// - Parameter isSnapshot: whether all that is read until it is closed is of one moment: for a short look alone.
  /// - Returns: `nil` when there is none, or none that has been begun.
  func openForReading(_ key: TimelineKey, isSnapshot: Bool) throws(StorageError) -> (any TimelineReading)?
  /// Opens a timeline to search or export it.
  /// - Returns: `nil` when there is none, or none that has been begun.
  /// - Throws: `.olderVersion` where it has no authors, edits and words yet.
  func openArchive(_ key: TimelineKey) throws(StorageError) -> (any TimelineReading)?

  // MARK: Owning

  /// Removes what earlier owners have left half-written of servers.
  func removeLeftovers() throws(StorageError)
  /// Removes what earlier owners have left half-written of an account, and imports that nobody will take any more.
  func removeLeftovers(of account: AccountName) throws(StorageError)
  /// Opens a timeline as its owner, and begins one where there is none. Damaged storage is set aside (``AccountStorage/damage``).
  /// - Parameters:
  ///   - wasClosedWell: whether the owner before is known to have closed it. Otherwise damage is looked for, which takes as long as reading
  ///     everything does.
  ///   - queue: the one that it is used on.
  /// - Throws: `.newerVersion`, with nothing changed.
  func open(
    _ key: TimelineKey, at now: Timestamp, wasClosedWell: Bool, on queue: DispatchQueue
  ) throws(StorageError) -> any AccountStorage
  /// Empty storage that ends with the process, for an account whose own cannot be had for now.
  func standIn(for key: TimelineKey, on queue: DispatchQueue) throws(StorageError) -> any AccountStorage
  /// Moves everything of an account's user out of the way of another one. The timeline must be closed.
  /// - Returns: where it is now, for the user to read.
  func setAside(_ account: AccountName, userID: String, at now: Timestamp) throws(StorageError) -> [String]
  /// Moves a timeline aside that turned out to be damaged while it was used; it must be closed.
  /// - Returns: where it is now, for ``AccountStorage/salvage(from:)``.
  func setAsideDamaged(_ key: TimelineKey, at now: Timestamp) throws(StorageError) -> String
  /// Posts that a command has staged for an account.
  func importedPosts(_ name: String, for account: AccountName) -> any ImportSource
}

/// Stores when an account's provider was last asked: what a process leaves to the next one if it ends before the answer is stored.
package protocol StartStorage: Sendable {
  /// The last start that was written since the machine was started; `nil` where there is none that can be read.
  func read() -> RequestStart?
  /// Replaces the last start. It need not survive a power cut.
  func write(_ start: RequestStart) throws(StorageError)
}

/// Posts that were staged for an account, read a few at a time.
package protocol ImportSource: AnyObject {
  /// The next posts, at most so many; none at the end.
  func next(_ count: Int) throws(StorageError) -> [ImportedPost]
  /// Removes what was staged.
  func remove()
}
