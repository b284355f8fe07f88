package import Dispatch
package import Settings
package import Time

/// The storage of all accounts. The programs choose the implementation; all other code uses this protocol.
package protocol StorageProvider: Sendable {
  /// Returns the accounts that have a stored token or timeline, sorted. They need not be configured.
  func accounts() throws(StorageError) -> [AccountName]
  func hasTimeline(_ key: TimelineKey) -> Bool
  /// Returns a timeline's location, whether or not it is stored, to show to the user.
  func location(of key: TimelineKey) -> String

  func tokens(of account: AccountName) -> any TokenStorage
  /// The protection of all tokens; `nil` if this store has none.
  var protection: (any ProtectedStorage)? { get }
  func starts(of account: AccountName) -> any StartStorage
  func outbox(of account: AccountName) -> any OutboxStorage
  /// Returns the registrations with a server.
  /// - Parameter server: `host[:port]` of an authorisation server.
  func clients(at server: String) -> any ClientStorage
  /// Returns the endpoints of a server.
  /// - Parameter server: `host[:port]` of an authorisation server.
  func metadata(of server: String) -> any ServerMetadataStorage

  // MARK: Reading

  /// Opens a timeline for reading, even while the state owner writes to it.
  /// - Parameter isSnapshot: whether all reads until the timeline is closed see the same state. Use this only for short reads.
  /// - Returns: `nil` if the timeline does not exist or has no content yet.
  func openForReading(_ key: TimelineKey, isSnapshot: Bool) throws(StorageError) -> (any TimelineReading)?
  /// Opens a timeline for searching or exporting it.
  /// - Returns: `nil` if the timeline does not exist or has no content yet.
  /// - Throws: `.olderVersion` if it still lacks authors, edits and the search index.
  func openArchive(_ key: TimelineKey) throws(StorageError) -> (any TimelineReading)?

  // MARK: Owning

  /// Removes incomplete server data that earlier processes left behind.
  func removeLeftovers() throws(StorageError)
  /// Removes incomplete account data that earlier processes left behind, and staged imports whose command has exited.
  func removeLeftovers(of account: AccountName) throws(StorageError)
  /// Opens a timeline as the state owner, creating it if it does not exist. Corrupt storage is set aside
  /// (``AccountStorage/damage``).
  /// - Parameters:
  ///   - wasClosedWell: whether the previous state owner is known to have closed the storage properly. If not, the whole
  ///     storage is read to check whether it is corrupt.
  ///   - queue: the queue that the storage is used on.
  /// - Throws: `.newerVersion`, without changing anything.
  func open(
    _ key: TimelineKey, at now: Timestamp, wasClosedWell: Bool, on queue: DispatchQueue
  ) throws(StorageError) -> any AccountStorage
  /// Creates empty storage that is lost when the process exits, for an account whose own storage cannot be opened now.
  func temporaryStorage(for key: TimelineKey, on queue: DispatchQueue) throws(StorageError) -> any AccountStorage
  /// Sets aside all data of an account's user, so that another user can use the account. The timeline must be closed.
  /// - Returns: the new locations, to show to the user.
  func setAside(_ account: AccountName, userID: String, at now: Timestamp) throws(StorageError) -> [String]
  /// Sets aside a timeline that turned out to be corrupt while in use. It must be closed.
  /// - Returns: the new location, for ``AccountStorage/salvage(from:)``.
  func setAsideDamaged(_ key: TimelineKey, at now: Timestamp) throws(StorageError) -> String
  /// Removes the storage of an account that has never been used: it has no token, was never refreshed, and contains no files of a user or
  /// another program. The timeline must be closed.
  /// - Returns: whether nothing is left.
  @discardableResult
  func removeUnused(_ account: AccountName) throws(StorageError) -> Bool
  /// Returns the posts that a command has staged for an account.
  func importedPosts(_ name: String, for account: AccountName) -> any ImportSource
}

extension StorageProvider {
  package var protection: (any ProtectedStorage)? { nil }

  /// Returns the user of an account's token or, without a token, of its posts; `nil` before the first login, or if neither can be
  /// read.
  package func identity(of account: AccountName) -> AccountIdentity? {
    if let token = try? tokens(of: account).read() { return token.identity }
    guard let timeline = try? openForReading(.home(of: account), isSnapshot: true) else { return nil }
    defer { timeline.close() }
    return (try? timeline.state())?.identity
  }
}
