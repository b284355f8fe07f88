internal import Dispatch
internal import Platform
internal import Store

/// What is published of an account after an end that nobody was told of. Each is to be called on the lane's queue.
extension Account {
  /// Publishes anew what a kill or a power cut may have left torn, or behind the database.
  func restoreAfterUncleanEnd() {
    guard !isClosed, !isWhole, !outlets.shutdown.isUnderWay else { return }
    // An account that was never authorised has nothing to publish.
    guard let state = try? database.state(), state.identity != nil else {
      isWhole = true
      return
    }
    if let failure = publish() {
      log(.warning, "what is published may be torn since an end that was not clean: \(failure.message)")
    } else {
      isWhole = true
    }
  }

  /// Brings the database to rest, behind whoever waits.
  func restSoon() {
    queue.async {
      guard !self.isClosed, !self.outlets.shutdown.isUnderWay else { return }
      do throws(SQLiteError) {
        // A process that stays brings a file of version 4 up to date little by little.
        if self.isInService { try self.database.divideSearch() }
        try self.database.rest()
      } catch {
        self.log(.info, "the database's log stays for now: \(error)")
      }
    }
  }
}
