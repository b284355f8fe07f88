package import Dispatch
package import Folders
internal import Platform
package import Settings
package import Storage
package import StorageFiles
package import Time
internal import Timeline

/// Storage in files in the user's folders: a SQLite database for each timeline, and separate files for tokens, registrations and
/// markers.
package struct FileStorage: StorageProvider {
  let layout: FileLayout
  /// Encrypts and decrypts tokens; `nil` if all tokens are in plain files.
  let vault: TokenVault?
  /// Keeps connections for the next reader; `nil` to close them.
  private var readers: IdleReaders?

  package init(_ layout: FileLayout, vault: TokenVault? = nil) {
    self.layout = layout
    self.vault = vault
  }

  /// Returns the same storage for a reader that comes back soon.
  package func reading(by readers: IdleReaders) -> FileStorage {
    var storage = self
    storage.readers = readers
    return storage
  }

  package var protection: (any ProtectedStorage)? { vault.map { FileProtection(layout: layout, vault: $0) } }

  private func files(of account: AccountName) -> AccountFiles { layout.files(of: account.text) }
  private func files(of key: TimelineKey) -> AccountFiles { files(of: key.account) }

  package func accounts() throws(StorageError) -> [AccountName] {
    do throws(SystemError) { return try layout.accounts() } catch { throw StorageError(error) }
  }

  package func hasTimeline(_ key: TimelineKey) -> Bool { File.exists(files(of: key).database) }
  package func location(of key: TimelineKey) -> String { files(of: key).database }

  package func tokens(of account: AccountName) -> any TokenStorage { TokenStore(files(of: account), vault: vault) }
  package func starts(of account: AccountName) -> any StartStorage { StartMarker(files(of: account)) }
  package func outbox(of account: AccountName) -> any OutboxStorage { OutboxStore(files(of: account)) }
  package func clients(at server: String) -> any ClientStorage { ClientStore(layout.server(server)) }
  package func metadata(of server: String) -> any ServerMetadataStorage { MetadataStore(layout.server(server)) }

  package func openForReading(
    _ key: TimelineKey, isSnapshot: Bool
  ) throws(StorageError) -> (any TimelineReading)? {
    try AccountDatabase.openForReading(files(of: key), isSnapshot: isSnapshot, by: readers)
  }

  package func openArchive(_ key: TimelineKey) throws(StorageError) -> (any TimelineReading)? {
    try AccountDatabase.openArchive(files(of: key), by: readers)
  }

  package func open(
    _ key: TimelineKey, at now: Timestamp, wasClosedWell: Bool, on queue: DispatchQueue
  ) throws(StorageError) -> any AccountStorage {
    try AccountDatabase.open(files(of: key), at: now, wasClosedWell: wasClosedWell, queue: queue)
  }

  package func temporaryStorage(for key: TimelineKey, on queue: DispatchQueue) throws(StorageError)
    -> any AccountStorage
  {
    try AccountDatabase.temporaryStorage(for: files(of: key), queue: queue)
  }

  package func setAside(
    _ account: AccountName, userID: String, at now: Timestamp
  ) throws(StorageError) -> [String] {
    do throws(SystemError) { return try files(of: account).setAside(userID: userID, at: now) } catch {
      throw StorageError(error)
    }
  }

  package func setAsideDamaged(_ key: TimelineKey, at now: Timestamp) throws(StorageError) -> String {
    do throws(SystemError) { return try AccountDatabase.setAsideDamaged(files(of: key), at: now) } catch {
      throw StorageError(error)
    }
  }

  package func removeUnused(_ account: AccountName) throws(StorageError) -> Bool {
    if let timeline = try openForReading(.home(of: account), isSnapshot: true) {
      defer { timeline.close() }
      if try timeline.state()[.home].refreshedAt != nil { return false }
      if try timeline.countOfPosts() > 0 { return false }
      if try timeline.timelines().count > 1 { return false }
    }
    do throws(SystemError) { return try files(of: account).removeUnused() } catch { throw StorageError(error) }
  }

  package func importedPosts(_ name: String, for account: AccountName) -> any ImportSource {
    StagedPosts(files(of: account).staged(name))
  }

  package func removeLeftovers() throws(StorageError) {
    do throws(SystemError) { try layout.removeServerLeftovers() } catch { throw StorageError(error) }
  }

  package func removeLeftovers(of account: AccountName) throws(StorageError) {
    do throws(SystemError) { try files(of: account).removeLeftovers() } catch { throw StorageError(error) }
  }
}

extension AccountFiles {
  /// Removes the files of a timeline without posts.
  /// - Returns: false, without removing anything, if the folders contain other files.
  fileprivate func removeUnused() throws(SystemError) -> Bool {
    let data = [database, database + "-wal", database + "-shm", cleanShutdownMarker, startMarker, clockOffset]
    let published = home.all
    let known = data + published + [outboxFolder]
    for folder in [dataFolder, stateFolder, cacheFolder, outboxFolder] {
      guard try Self.paths(in: folder).allSatisfy(known.contains) else { return false }
    }
    for path in published + data { try File.remove(path) }
    for folder in [outboxFolder, dataFolder, stateFolder, cacheFolder] where File.exists(folder) {
      try Folder.remove(folder)
    }
    return true
  }

  private static func paths(in folder: String) throws(SystemError) -> [String] {
    File.exists(folder) ? try Folder.names(in: folder).map { "\(folder)/\($0)" } : []
  }

  fileprivate func removeLeftovers() throws(SystemError) {
    try TokenStore.removeLeftovers(of: self)
    try DatabaseTemplate.removeLeftovers(of: database)
    try removeStaged()
  }

  /// Removes staged imports whose process has exited. The file name contains the process id.
  private func removeStaged() throws(SystemError) {
    guard File.exists(dataFolder) else { return }
    for name in try Folder.names(in: dataFolder) where name.hasPrefix(Self.stagedPrefix) {
      let digits = name.dropFirst(Self.stagedPrefix.count).prefix { $0.isNumber }
      if let process = Int32(digits), process > 0, ProcessEnvironment.isRunning(process) { continue }
      try File.remove("\(dataFolder)/\(name)")
    }
  }
}
