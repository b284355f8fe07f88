internal import CivilTime
internal import Platform
internal import Publishing
internal import Scheduling
internal import Settings
package import Storage
package import Timeline

/// What is known of an account in memory alone, because its database does not take it: its disk is full, fails or is read-only, or another
/// process keeps it locked.
package struct UnstoredWork {
  /// The state, with what came of asking the provider; `nil` where the database has it.
  package var state: AccountState?
  /// The state after refreshes that have brought nothing new, which is stored with the next change, or when the file is replaced; `nil` where
  /// the database has it.
  package var quiet: AccountState?
  /// Answers, in the order in which they came: at most one newest page and one below it.
  var pages: [UnstoredPage] = []
  /// Why it could not be stored, or published; `nil` when nothing is amiss.
  package var reason: String?

  package var isEmpty: Bool { state == nil && pages.isEmpty }

  /// Brings a state of the database up to date.
  func complete(_ stored: inout AccountState) {
    if let state = state ?? quiet { stored.copyOutcome(of: state) }
  }

  /// Keeps an answer in the place of the one before it of its kind, whose posts the provider gives again.
  package mutating func keep(_ page: UnstoredPage) {
    pages.removeAll { $0.isNewest == page.isNewest }
    pages.append(page)
  }
}

/// The account's state as the running process knows it. The database is the copy for the next start: whatever becomes of it, what is
/// planned follows from what has been asked. Each is to be called on the lane's queue.
extension Account {
  /// The state, with what could not be stored.
  package func state() throws(StorageError) -> AccountState {
    var state = try database.state()
    unstored.complete(&state)
    lastState = state
    return state
  }

  /// The same, as it was last known where the database cannot be read.
  package var knownState: AccountState {
    if let state = try? state() { return state }
    var state = lastState
    unstored.complete(&state)
    return state
  }

  /// Changes the state.
  /// - Throws: where it could not be stored. It holds all the same, and is stored as soon as that is possible.
  package func update(_ change: (inout AccountState) -> Void) throws(StorageError) {
    do throws(StorageError) {
      let state = try changedState(change)
      try write { (database, revision) throws(StorageError) in try database.write(state, expecting: revision) }
      unstored.state = nil
      unstored.quiet = nil
      starts.end()
    } catch {
      keepUnstored(after: error, change)
      throw error
    }
  }

  /// Stores a page, and what the answer means for the account, together or not at all.
  ///
  /// A service stores nothing of a page that brings nothing new: what is planned is in memory, and in the marker for a process that comes
  /// after a kill. What was asked when is stored with the next change, or with the hourly replacement of the published file.
  /// - Returns: the posts that are new, newest first.
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
    if stored.isStateDeferred { starts.endQuietly(next: state.nextRefreshAt) } else { starts.end() }
    return stored.new
  }

  /// The state with a change, and with what could not be stored before.
  package func changedState(_ change: (inout AccountState) -> Void) throws(StorageError) -> AccountState {
    var state = try database.state()
    unstored.complete(&state)
    change(&state)
    return state
  }

  /// Keeps a change in memory alone.
  package func keepUnstored(after error: StorageError, _ change: (inout AccountState) -> Void) {
    var state = knownState
    change(&state)
    unstored.state = state
    unstored.reason = "\(error)"
    lastState = state
    storeSoon()
  }

  /// Notes for a later process that a request begins.
  /// - Throws: where that could not be written, and the request must not be sent.
  package func beginRequest() throws(StorageError) {
    try starts.begin(stays: isInService, interval: settings.refreshInterval)
  }

  /// Carries over when to ask next, and what that follows from, where a database knows less of it than the one before.
  func keepPacing(of former: AccountState) {
    guard let askedAt = former.askedAt, var state = try? database.state(), state.askedAt.map({ $0 < askedAt }) ?? true
    else { return }
    state.copyPacing(of: former)
    unstored.state = state
  }

  /// Has what could not be stored, or published, tried again in a while.
  func storeSoon() {
    if storageAlarm == nil {
      storageAlarm = try? Alarm(on: queue) { [weak self] in self?.storeAgain() }
    }
    storageAlarm?.set(.now + Backoff.storageRetry)
  }

  /// Stores what could not be stored before, and publishes it.
  /// - Returns: how many posts are new; `nil` where it cannot be stored yet.
  @discardableResult
  package func storeAgain() -> Int? {
    guard !isClosed else { return nil }
    do {
      if !database.isInPlace { try reopenIfMoved() }
      let new = try storeUnstored()
      if let failure = publish() {
        log(.debug, failure.message)
      } else {
        log(.notice, "what could not be stored is stored and published now")
        onStored?(new)
      }
      return new
    } catch {
      log(.debug, "it cannot be stored yet: \(error)")
      storeSoon()
      return nil
    }
  }

  /// - Returns: how many posts are new.
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

  /// The disk was at fault, not the provider: it is asked again when its interval is over.
  private func goOnAfterStorageProblem(_ state: inout AccountState) {
    guard state.problem?.code == .storage else { return }
    let now = clock.now
    state.problem = nil
    state.staleSince = nil
    state.failures = 0
    state.nextRefreshAt = max(state.askedAt.map { $0 + pace } ?? now, now)
  }
}
