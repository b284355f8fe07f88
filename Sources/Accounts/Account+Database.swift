internal import CivilTime
internal import Dispatch
internal import Platform
package import Storage

/// Handling of a moved, replaced or corrupt database file. Call on the account's queue.
extension Account {
  /// Moves the previous user's files aside and creates an empty database.
  package func setAside(userID: String) throws(OperationError) -> [String] {
    let former = try reopenDatabase(
      after: { () throws(StorageError) in try setAsideStorage(of: userID) },
      orSay: "the previous user's files could not be moved aside")
    // The data in memory belongs to the previous user.
    unstored = UnstoredWork()
    lastState = AccountState()
    forgetMedia()
    return former
  }

  /// Reopens the database if its file was removed or replaced, or if it could not be opened before.
  package func reopenIfMoved() throws(OperationError) {
    guard !database.isInPlace else { return learnRevision() }
    if !database.isTemporary {
      log(.warning, "\(database.location) was removed or replaced while it was in use; opening the current file")
    }
    try reopenDatabase(after: {}, orSay: database.location)
    log(.notice, "\(database.location) is open")
  }

  /// Moves a corrupt database aside, and creates a new one with the data that can still be read from it.
  package func replaceDamaged(_ error: StorageError) throws(OperationError) {
    let aside = try reopenDatabase(
      after: { () throws(StorageError) in try setAsideDamaged() },
      orSay: "the corrupt database could not be moved aside")
    log(.warning, "the database is corrupt (\(error)); it was moved to \(aside); \(database.salvage(from: aside))")
  }

  /// Replaces a corrupt database, and schedules a refresh that fetches the lost posts from the provider again.
  package func beginAnew(after error: StorageError) {
    let due = clock.now + lookAgain
    do {
      try replaceDamaged(error)
      try update { $0.nextRefreshAt = due }
    } catch { log(.error, "\(error)") }
  }

  /// Erases purged data from the write-ahead log, if the purge itself could not.
  package func clearLog() {
    guard hasLogToClear else { return }
    hasLogToClear = !((try? database.eraseTraces()) ?? false)
  }
}

/// Publishing and maintenance after an unclean shutdown. Call on the account's queue.
extension Account {
  /// Publishes the files again, because a kill or a power failure may have left them incomplete or older than the database.
  func restoreAfterUncleanEnd() {
    guard !isClosed, !isPublished, !publishers.shutdown.isUnderWay else { return }
    // An account that was never authorised has nothing to publish.
    guard let state = try? database.state(), state.identity != nil else {
      isPublished = true
      return
    }
    if let failure = publish(gathers: false) {
      log(.warning, "the published files may be incomplete after an unclean shutdown: \(failure.message)")
    } else {
      isPublished = true
    }
  }

  /// Runs the database's maintenance after the work that is already queued.
  /// - Parameter isLong: whether to include long work, which is done in small steps.
  package func restSoon(isLong: Bool = true) {
    queue.async {
      guard !self.isClosed, !self.publishers.shutdown.isUnderWay else { return }
      do throws(StorageError) {
        try self.database.performMaintenance(isLong: isLong && self.isInService)
      } catch {
        self.log(.info, "the database's write-ahead log could not be merged and is kept for now: \(error)")
      }
    }
  }
}
