internal import CivilTime
internal import Dispatch
internal import Platform
package import Storage

/// What becomes of a database whose file does not stay where it was. Each is to be called on the lane's queue.
extension Account {
  /// Moves the former user's files aside and begins an empty database.
  package func setAside(userID: String) throws(Failure) -> [String] {
    let former = try reopenDatabase(
      after: { () throws(StorageError) in try setAsideStorage(of: userID) },
      orSay: "the former user's files could not be set aside")
    // The former user's.
    unstored = UnstoredWork()
    lastState = AccountState()
    forgetMedia()
    return former
  }

  /// Opens the database anew if somebody removed or replaced its file, or if it could not be opened before.
  package func reopenIfMoved() throws(Failure) {
    guard !database.isInPlace else { return learnRevision() }
    if !database.isTemporary {
      log(.warning, "\(database.location) was removed or replaced while it was in use; what is there now is opened")
    }
    try reopenDatabase(after: {}, orSay: database.location)
    log(.notice, "\(database.location) is open")
  }

  /// Moves a database aside that turned out to be damaged, and begins one with what can still be read of it.
  package func replaceDamaged(_ error: StorageError) throws(Failure) {
    let aside = try reopenDatabase(
      after: { () throws(StorageError) in try setAsideDamaged() },
      orSay: "the damaged database could not be set aside")
    log(.warning, "the database is damaged (\(error)); it was kept as \(aside); \(database.salvage(from: aside))")
  }

  /// The same where what was in it comes from the provider with the next refresh.
  package func beginAnew(after error: StorageError) {
    let due = clock.now + lookAgain
    do {
      try replaceDamaged(error)
      try update { $0.nextRefreshAt = due }
    } catch { log(.error, "\(error)") }
  }

  /// Empties the log of what a purge has removed, where that could not be done at once.
  package func clearLog() {
    guard hasLogToClear else { return }
    hasLogToClear = !((try? database.eraseTraces()) ?? false)
  }
}

/// What is published of an account after an end that nobody was told of. Each is to be called on the lane's queue.
extension Account {
  /// Publishes anew what a kill or a power cut may have left torn, or behind the database.
  func restoreAfterUncleanEnd() {
    guard !isClosed, !isWhole, !publishers.shutdown.isUnderWay else { return }
    // An account that was never authorised has nothing to publish.
    guard let state = try? database.state(), state.identity != nil else {
      isWhole = true
      return
    }
    if let failure = publish(gathers: false) {
      log(.warning, "what is published may be torn since an end that was not clean: \(failure.message)")
    } else {
      isWhole = true
    }
  }

  /// Brings the database to rest, behind whoever waits.
  package func restSoon() {
    queue.async {
      guard !self.isClosed, !self.publishers.shutdown.isUnderWay else { return }
      do throws(StorageError) {
        try self.database.performMaintenance(isLong: self.isInService)
      } catch {
        self.log(.info, "the database's log stays for now: \(error)")
      }
    }
  }
}
