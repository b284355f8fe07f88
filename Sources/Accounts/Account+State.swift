internal import CivilTime
internal import Platform
internal import Publishing
internal import Scheduling
internal import Settings
package import Storage
package import Timeline

/// The account's state as the running process knows it. The database contains a copy for the next start. If that copy is lost, the running
/// process's schedule still takes past requests into account. Call on the account's queue.
extension Account {
  /// Returns the state, including the parts that could not be stored.
  package func state() throws(StorageError) -> AccountState {
    var state = try database.state()
    unstored.complete(&state)
    lastState = state
    return state
  }

  /// The state, including the parts that could not be stored. If the database cannot be read, this is the last known state.
  package var knownState: AccountState {
    if let state = try? state() { return state }
    var state = lastState
    unstored.complete(&state)
    return state
  }

  /// Changes the state.
  /// - Throws: an error if the state could not be stored. The change takes effect anyway, and is stored as soon as possible.
  package func update(_ change: (inout AccountState) -> Void) throws(StorageError) {
    do throws(StorageError) {
      let state = try changedState(change)
      try write { (database, revision) throws(StorageError) in try database.write(state, expecting: revision) }
      unstored.state = nil
      unstored.quiet = nil
      starts.end()
      followLogin(state)
    } catch {
      keepUnstored(after: error, change)
      throw error
    }
  }

  /// Stores a page and its effect on the account in one transaction.
  ///
  /// A service stores nothing for a page without new posts. The time of the next request is kept in memory and, in case the process is
  /// killed, in the request-start marker. Request times are stored with the next change, or when the published file is replaced, which
  /// happens hourly.
  /// - Returns: the new posts, newest first.
  package func store(
    _ page: Page, as place: PagePosition, settling settlement: Settlement? = nil, _ change: (inout AccountState) -> Void
  ) throws(StorageError) -> [KnownPost] {
    let state = try changedState(change)
    let canDefer =
      isInService && settlement == nil && !publishers.shutdown.isUnderWay
      && (try? publisher.remainsValid(with: state, of: database)) == true
    let stored = try insert(
      PageWrite(
        page, as: place, receivedAt: clock.now, settling: settlement, keeping: retention, state: state,
        defersQuietState: canDefer))
    unstored.state = nil
    unstored.quiet = stored.isStateDeferred ? state : nil
    followLogin(state)
    if stored.isStateDeferred { starts.endQuietly(next: state.nextRefreshAt) } else { starts.end() }
    return stored.new
  }

  /// Returns the stored state with a change applied, including the parts that could not be stored before.
  package func changedState(_ change: (inout AccountState) -> Void) throws(StorageError) -> AccountState {
    var state = try database.state()
    unstored.complete(&state)
    change(&state)
    return state
  }

  /// Keeps a change in memory after it could not be stored, and schedules another attempt.
  package func keepUnstored(after error: StorageError, _ change: (inout AccountState) -> Void) {
    var state = knownState
    change(&state)
    unstored.state = state
    unstored.reason = "\(error)"
    lastState = state
    followLogin(state)
    storeSoon()
  }

  /// Records that a request is about to start, for a later process.
  /// - Throws: an error if the start could not be recorded; the request must then not be sent.
  package func beginRequest() throws(StorageError) {
    try starts.begin(stays: isInService, interval: settings.refreshInterval)
  }

  /// Copies the time of the next request, and the values that determine it, from the previous database. Nothing is copied unless the last
  /// request recorded in the new database is older.
  func keepPacing(of former: AccountState) {
    guard let askedAt = former.askedAt, var state = try? database.state(), state.askedAt.map({ $0 < askedAt }) ?? true
    else { return }
    state.copyPacing(of: former)
    unstored.state = state
  }

  /// Schedules another attempt after storing or publishing has failed.
  func storeSoon() {
    if storageAlarm == nil {
      storageAlarm = try? Alarm(on: queue) { [weak self] in self?.storeAgain() }
    }
    storageAlarm?.set(.now + Backoff.storageRetry)
  }

  /// Stores and publishes the data that could not be stored before.
  /// - Returns: the number of new posts; `nil` if the data still cannot be stored.
  @discardableResult
  package func storeAgain() -> Int? {
    guard !isClosed else { return nil }
    do {
      if !database.isInPlace { try reopenIfMoved() }
      let new = try storeUnstored()
      if let failure = publish() {
        log(.debug, failure.message)
      } else {
        log(.notice, "data that could not be stored earlier has now been stored and published")
        for part in parts { part.stored(new: new) }
      }
      return new
    } catch {
      log(.debug, "the data still cannot be stored: \(error)")
      storeSoon()
      return nil
    }
  }

  /// Stores the data that could not be stored before.
  /// - Returns: the number of new posts.
  @discardableResult
  func storeUnstored() throws(StorageError) -> Int {
    var count = 0
    while let page = unstored.pages.first {
      let isFirst = try database.spans().top == nil
      let state = try changedState { state in
        if page.isNewest {
          state.refreshedAt = page.receivedAt
          state.entityTag = page.entityTag ?? state.entityTag
        }
        goOnAfterStorageProblem(&state)
      }
      let new = try insert(
        PageWrite(
          page.page, as: page.place, receivedAt: page.receivedAt, settling: page.settlement, keeping: retention,
          state: state)
      ).new
      unstored.state = nil
      unstored.quiet = nil
      unstored.pages.removeFirst()
      if page.isNewest { publishers.announcer.announce(new, of: settings, isFirst: isFirst) }
      count += new.count
    }
    if unstored.state != nil || unstored.quiet != nil { try update { goOnAfterStorageProblem(&$0) } }
    return count
  }

  private func insert(_ page: PageWrite) throws(StorageError) -> StoredPage {
    try write { (database, revision) throws(StorageError) in try database.insert(page, expecting: revision) }
  }

  /// Clears a storage problem. The disk failed, not the provider, so the next refresh is due after the normal interval.
  private func goOnAfterStorageProblem(_ state: inout AccountState) {
    guard state.problem?.code == .storage else { return }
    let now = clock.now
    state.problem = nil
    state.staleSince = nil
    state.failures = 0
    state.nextRefreshAt = max(state.askedAt.map { $0 + pace } ?? now, now)
  }
}
