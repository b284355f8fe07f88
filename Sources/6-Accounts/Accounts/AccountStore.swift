internal import Dispatch
internal import Platform
internal import Scheduling
internal import Settings
package import Storage
internal import Time
internal import Timeline

/// An account's store: its database with everything that could not be written to it yet, and the account's state.
///
/// The running process's state takes precedence; the database contains a copy for the next start. If the copy is lost, the running
/// process's schedule still takes past requests into account.
// Sendable because all mutable state is accessed only on the account's queue.
package final class AccountStore: @unchecked Sendable {
  let core: AccountCore
  private let storage: any StorageProvider
  private let key: TimelineKey
  private let starts: RequestStarts
  private let lostLogin: LostLogin
  private var opened: (any AccountStorage)?
  /// The rest that the database is given as soon as no job is running; `nil` if none is planned.
  private var plannedRest: Rest?
  /// The database's revision that this process knows.
  private var revision = Revision(0)
  /// Whether the files must not be used: before the account has opened them, and after it has closed them.
  private(set) var isClosed = true
  /// The data that is not in the database yet.
  package internal(set) var unstored = UnstoredWork()
  /// The last known state.
  private var lastState = AccountState()
  /// Fires when it is time to try storing the unstored data again.
  private var alarm: Alarm?
  /// Whether the write-ahead log still contains purged data because another process was reading the database during the purge.
  package var hasLogToClear = false
  weak var observer: (any StoreObserver)?

  /// How much maintenance a rest includes.
  private enum Rest { case short, long }

  /// - Parameter key: the timeline that the database contains.
  init(
    of core: AccountCore, in storage: any StorageProvider, _ key: TimelineKey, starts: RequestStarts,
    lostLogin: LostLogin
  ) {
    self.core = core
    self.storage = storage
    self.key = key
    self.starts = starts
    self.lostLogin = lostLogin
  }

  /// The database. Using it reads its schema and prepares statements, so each use is followed by a rest, whatever the purpose.
  package var database: any AccountStorage {
    guard let opened else { preconditionFailure("the account was used before it was opened") }
    plan(.short)
    return opened
  }

  // MARK: Opening and closing

  /// Opens the database, creating it if it does not exist.
  /// - Parameter wasClosedWell: whether the previous process is known to have closed the database. It may still have kept the log.
  func open(wasClosedWell: Bool) throws(OperationError) {
    try openDatabase(wasClosedWell: wasClosedWell)
    isClosed = false
  }

  /// Uses a database in memory because the file cannot be read now, and tries to open the file again later.
  func openTemporarily() throws(OperationError) {
    try openTemporaryDatabase()
    isClosed = false
    retrySoon()
  }

  /// - Parameter inHaste: whether the write-ahead log may be left to the next process. A log with purged data is not.
  func close(inHaste: Bool) {
    isClosed = true
    alarm?.set(nil)
    alarm = nil
    opened?.close(inHaste: !hasLogToClear && inHaste)
  }

  /// Removes temporary files that an earlier process left behind.
  func removeLeftovers() throws(StorageError) { try storage.removeLeftovers(of: core.name) }

  private func openDatabase(wasClosedWell: Bool = false) throws(OperationError) {
    do throws(StorageError) {
      let database = try storage.open(
        key, at: core.clock.now, wasClosedWell: wasClosedWell, on: core.accountQueue.queue)
      if let damage = database.damage {
        core.log(.warning, "the database was corrupt; it was moved to \(damage.aside); \(damage.salvaged)")
      }
      try take(database)
    } catch { throw OperationError(error) }
  }

  private func openTemporaryDatabase() throws(OperationError) {
    do throws(StorageError) { try take(try storage.temporaryStorage(for: key, on: core.accountQueue.queue)) } catch {
      throw OperationError(error)
    }
  }

  private func take(_ database: any AccountStorage) throws(StorageError) {
    revision = try database.revision()
    opened = database
  }

  // MARK: Replacing the database

  /// Moves the previous user's files aside and creates an empty database.
  func setAside(userID: String) throws(OperationError) -> [String] {
    let former = try reopenDatabase(
      after: { () throws(StorageError) in try storage.setAside(core.name, userID: userID, at: core.clock.now) },
      orSay: "the previous user's files could not be moved aside")
    // The data in memory belongs to the previous user.
    unstored = UnstoredWork()
    lastState = AccountState()
    return former
  }

  /// Reopens the database if its file was removed or replaced, or if it could not be opened before.
  package func reopenIfMoved() throws(OperationError) {
    guard !database.isInPlace else { return learnRevision() }
    if !database.isTemporary {
      core.log(.warning, "\(database.location) was removed or replaced while it was in use; opening the current file")
    }
    try reopenDatabase(after: {}, orSay: database.location)
    core.log(.notice, "\(database.location) is open")
  }

  /// Moves a corrupt database aside, and creates a new one with the data that can still be read from it.
  func replaceDamaged(_ error: StorageError) throws(OperationError) {
    let aside = try reopenDatabase(
      after: { () throws(StorageError) in try storage.setAsideDamaged(key, at: core.clock.now) },
      orSay: "the corrupt database could not be moved aside")
    core.log(.warning, "the database is corrupt (\(error)); it was moved to \(aside); \(database.salvage(from: aside))")
  }

  /// Replaces a corrupt database, and schedules refreshes that fetch the lost posts from the provider again.
  package func beginAnew(after error: StorageError) {
    let due = core.pacing.next(after: .ended(.unusable(isDisk: false)), now: core.clock.now).plan.due
    do {
      try replaceDamaged(error)
      try update { for timeline in core.settings.timelines { $0[timeline].nextRefreshAt = due } }
    } catch { core.log(.error, "\(error)") }
  }

  /// Closes the database, moves its files, and opens the database that is then in their place.
  ///
  /// If that database cannot be opened, a database in memory is used, and the next refresh tries again.
  private func reopenDatabase<Value>(
    after move: () throws(StorageError) -> Value, orSay trouble: String
  ) throws(OperationError) -> Value {
    // Spending is still counted, even if posts are lost.
    let spent = try? database.spending()
    let former = knownState
    unstored.quiet = nil
    // Close the old database before opening the new one: closing the last connection removes the log file by its name, and the new
    // database's log has the same name.
    database.close()
    observer?.databaseWasReplaced()
    let outcome: Result<Value, StorageError>
    do throws(StorageError) { outcome = .success(try move()) } catch { outcome = .failure(error) }
    do throws(OperationError) { try openDatabase() } catch {
      try openTemporaryDatabase()
      keep(spent)
      keepPacing(of: former)
      throw error
    }
    keep(spent)
    keepPacing(of: former)
    do throws(StorageError) { return try outcome.get() } catch {
      throw OperationError(.inputOutput, "\(trouble): \(error)")
    }
  }

  private func keep(_ spent: SpendingRecord?) {
    guard let spent else { return }
    do throws(StorageError) {
      try write { (database, revision) throws(StorageError) in try database.adopt(spent, expecting: revision) }
    } catch {
      core.log(.warning, "the spending records could not be carried over: \(error)")
    }
  }

  /// Copies the time of the next request, and the values that determine it, from the previous database. Nothing is copied unless the last
  /// request recorded in the new database is older.
  private func keepPacing(of former: AccountState) {
    guard let askedAt = former.askedAt, var state = try? database.state(), state.askedAt.map({ $0 < askedAt }) ?? true
    else { return }
    state.copyPacing(of: former)
    unstored.state = state
  }

  // MARK: Maintenance

  /// Erases purged data from the write-ahead log, if the purge itself could not.
  func clearLog() {
    guard hasLogToClear else { return }
    hasLogToClear = !((try? database.eraseTraces()) ?? false)
  }

  /// Includes the long maintenance in the next rest. It is done in small steps, one after each refresh.
  func maintainSoon() { plan(.long) }

  private func plan(_ rest: Rest) {
    let isPlanned = plannedRest != nil
    if plannedRest != .long { plannedRest = rest }
    if !isPlanned { core.accountQueue.whenIdle { self.rest() } }
  }

  private func rest() {
    let rest = plannedRest.take()
    guard !isClosed, !core.shared.shutdown.isUnderWay, let opened else { return }
    do throws(StorageError) { try opened.performMaintenance(isLong: rest == .long && core.isInService) } catch {
      core.log(.info, "the database's write-ahead log could not be merged and is kept for now: \(error)")
    }
  }

  package func importedPosts(_ name: String) -> any ImportSource { storage.importedPosts(name, for: core.name) }

  // MARK: Writing

  /// Reads the database's current revision before a job relies on it. Another program may have written to the database since the last job.
  private func learnRevision() {
    if let current = try? database.revision() { revision = current }
  }

  /// Writes to the database, expecting its last known revision.
  /// - Throws: `.outdated` if another program has written to the database. The store then knows the database's current revision.
  package func write<Value>(
    _ body: (any AccountStorage, Revision) throws(StorageError) -> Written<Value>
  ) throws(StorageError) -> Value {
    do throws(StorageError) {
      let written = try body(database, revision)
      revision = written.revision
      return written.value
    } catch {
      if error.kind == .outdated { learnRevision() }
      throw error
    }
  }

  package func write(_ body: (any AccountStorage, Revision) throws(StorageError) -> Revision) throws(StorageError) {
    try write { (database, revision) throws(StorageError) in Written((), try body(database, revision)) }
  }

  // MARK: The state

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

  /// Returns the stored state with a change applied, including the parts that could not be stored before.
  func changedState(_ change: (inout AccountState) -> Void) throws(StorageError) -> AccountState {
    var state = try database.state()
    unstored.complete(&state)
    change(&state)
    return state
  }

  /// Changes the state.
  /// - Throws: an error if the state could not be stored. The change takes effect anyway, and is stored as soon as possible.
  package func update(_ change: (inout AccountState) -> Void) throws(StorageError) {
    do throws(StorageError) {
      let state = try changedState(change)
      try write { (database, revision) throws(StorageError) in try database.write(state, expecting: revision) }
      stateWasStored()
      lostLogin.follow(state)
    } catch {
      keepUnstored(after: error, change)
      throw error
    }
  }

  /// Changes the state, and publishes it even if it cannot be stored, so that readers learn about the change.
  /// - Parameters:
  ///   - publish: publishes the state, then calls its argument with the failure to do so.
  ///   - completion: called after that, with the failure to publish or to store the state.
  func update(
    _ change: (inout AccountState) -> Void, publishing publish: (@escaping (OperationError?) -> Void) -> Void,
    then completion: @escaping (OperationError?) -> Void
  ) {
    var failure: OperationError?
    do throws(StorageError) { try update(change) } catch {
      failure = OperationError(.inputOutput, "the account's state could not be stored: \(error)")
    }
    publish { [failure] in completion($0 ?? failure) }
  }

  /// Stores a page and its effect on the account in one transaction.
  func insert(_ page: PageWrite) throws(StorageError) -> StoredPage {
    let stored = try write { (database, revision) throws(StorageError) in
      try database.insert(page, expecting: revision)
    }
    observer?.received(page.page)
    unstored.state = nil
    unstored.quiet = stored.isStateDeferred ? page.state : nil
    return stored
  }

  /// Follows a state that was stored with a page of the running process.
  func follow(_ state: AccountState, isDeferred: Bool) {
    lostLogin.follow(state)
    if isDeferred { starts.endQuietly(next: state.earliestRefresh(of: core.settings.timelines)) } else { starts.end() }
  }

  /// Records that the database contains the current state, and the results of all requests.
  func stateWasStored() {
    unstored.state = nil
    unstored.quiet = nil
    starts.end()
  }

  /// Notes the time and the limit of a request that changed nothing else, as after a refresh without new posts. A service keeps them in
  /// memory; any other process stores them.
  /// - Parameter hasMore: whether the job sends further requests, and then calls ``storeNotes()``.
  func noteQuietly(hasMore: Bool = false, _ change: (inout AccountState) -> Void) {
    guard core.isInService || hasMore, !core.shared.shutdown.isUnderWay, unstored.isEmpty,
      var state = try? changedState({ _ in })
    else {
      try? update(change)
      return
    }
    change(&state)
    unstored.quiet = state
    follow(state, isDeferred: true)
  }

  /// Stores what a job has noted about its requests, unless this process is a service, which keeps it in memory.
  func storeNotes() { if !core.isInService, unstored.quiet != nil { try? update { _ in } } }

  /// Keeps a change in memory after it could not be stored, and schedules another attempt.
  func keepUnstored(after error: StorageError, _ change: (inout AccountState) -> Void) {
    var state = knownState
    change(&state)
    unstored.state = state
    unstored.failure = "\(error)"
    lastState = state
    lostLogin.follow(state)
    retrySoon()
  }

  /// Schedules another attempt after storing or publishing has failed.
  func retrySoon() {
    if alarm == nil {
      alarm = try? Alarm(on: core.accountQueue.queue) { [weak self] in _ = self?.observer?.storeAgain() }
    }
    alarm?.set(.now + Backoff.storageRetry)
  }

  /// Records that a request is about to start, for a later process.
  /// - Throws: an error if the start could not be recorded; the request must then not be sent.
  func beginRequest() throws(StorageError) {
    try starts.begin(stays: core.isInService, interval: core.settings.refreshInterval)
  }
}

/// Learns what happens to an account's store.
protocol StoreObserver: AnyObject {
  /// The database was closed, and another one takes its place.
  func databaseWasReplaced()
  /// A page was stored.
  func received(_ page: Page)
  /// It is time to try again to store and publish the data that could not be stored.
  func storeAgain() -> [TimelineName: Int]?
}
