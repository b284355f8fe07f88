package import Dispatch
package import Folders
package import Platform
package import Providers
internal import PublishedFiles
internal import Scheduling
package import Settings
package import Storage
package import Time
package import Timeline

/// One account: its settings, the queue that runs all of its work, and the objects that own its state.
// Sendable because all mutable state is accessed only on the account's queue.
package final class Account: @unchecked Sendable {
  package let core: AccountCore
  /// The account's database and state.
  package let store: AccountStore
  /// What its requests cost.
  package let spending: AccountSpending
  /// Its token, and the client that sends its requests.
  package let authority: AccountAuthority
  /// The pictures of its posts.
  package let pictures: AccountPictures
  package let home: AccountTimeline
  /// All its timelines, including its home timeline. Other queues also read which there are.
  package var timelines: [TimelineName: AccountTimeline] { all.withLock { $0 } }
  private let all: Locked<[TimelineName: AccountTimeline]>
  /// Creates a timeline that the settings name.
  private let makeTimeline: (TimelineName) throws(OperationError) -> AccountTimeline
  /// The start times of requests, kept for a later process.
  package let starts: RequestStarts
  /// The user's commands that watch its refreshes.
  package let rounds = RoundObservers()
  /// Shares its read marks with the user's other clients.
  let readMarks = ReadMarkSync()
  /// The purges that an earlier state owner had started.
  package let interruptedPurges = UnfinishedWork()
  /// The posts to publish.
  package lazy var outbox: any PostSender = makeOutbox(self)
  /// The login that waits for its user; `nil` if there is none.
  package var login: (any PendingLogin)?
  /// Called with the number of each timeline's new posts when data is stored that could not be stored earlier.
  package var onRecovery: ([TimelineName: Int]) -> Void = { _ in }
  private let makeOutbox: (Account) -> any PostSender
  /// Whether the account is about to end. Can be read on any thread.
  package var isRetiring: Bool { retiring.withLock { $0 } }
  private let retiring = Locked(false)
  /// Whether the account has ended and will not open its files again.
  package private(set) var hasEnded = false

  /// - Parameters:
  ///   - worker: the serial queue that runs the work of this account and others.
  ///   - clock: the wall clock.
  ///   - boot: the clock that cannot be set.
  ///   - outbox: creates the account's outbox when it is first needed.
  /// - Throws: an error if the name of a timeline's files cannot be computed.
  package init(
    _ dependencies: AccountDependencies, layout: FileLayout, storage: any StorageProvider, shared: SharedServices,
    on worker: DispatchQueue, clock: WallClock, boot: @escaping @Sendable () -> BootInstant, log: Log,
    outbox: @escaping (Account) -> any PostSender
  ) throws(OperationError) {
    let name = dependencies.settings.name
    core = AccountCore(
      dependencies, files: layout.files(of: name.text),
      queue: AccountQueue(label: "homeline.account.\(name)", on: worker), shared: shared, clock: clock,
      log: log.prefixed(name.text))
    let tokens = storage.tokens(of: name)
    starts = RequestStarts(storage.starts(of: name), wall: clock, clock: boot)
    store = AccountStore(of: core, in: storage, .home(of: name), starts: starts, lostLogin: LostLogin(of: core, tokens))
    spending = AccountSpending(of: core, in: store)
    authority = AccountAuthority(
      of: core, in: store, storage, tokens, spending: spending, starts: starts, boot: boot)
    pictures = AccountPictures(of: core, in: store)
    makeTimeline = { [core, store, spending, pictures] name throws(OperationError) in
      try AccountTimeline(name, of: core, in: store, tokens, spending: spending, pictures: pictures)
    }
    home = try makeTimeline(.home)
    var timelines = [TimelineName.home: home]
    for name in dependencies.settings.timelines where name != .home { timelines[name] = try makeTimeline(name) }
    all = Locked(timelines)
    makeOutbox = outbox
    store.observer = self
  }

  package var name: AccountName { core.name }
  package var keys: [TimelineKey] { timelines.values.map(\.key) }
  package var accountQueue: AccountQueue { core.accountQueue }
  package var queue: DispatchQueue { core.accountQueue.queue }
  var files: AccountFiles { core.files }
  package var clock: WallClock { core.clock }
  package var log: Log { core.log }
  package var settings: AccountSettings { core.settings }
  package var provider: any Provider { core.provider }
  /// Whether the files must not be used: before the account has opened them, and after it has closed them.
  package var isClosed: Bool { store.isClosed }

  // MARK: Opening and closing

  /// Opens the database. Call this before anything else, on the account's queue; it has no effect if the database is already open.
  /// - Parameter allowsTemporaryDatabase: whether to use a database in memory if the file cannot be read now. Later refreshes try to open
  ///   the file again.
  /// - Throws: an error if the database could not be opened. The caller may try again.
  package func open(allowsTemporaryDatabase: Bool = false) throws(OperationError) {
    dispatchPrecondition(condition: .onQueue(queue))
    if hasEnded || core.shared.shutdown.isUnderWay {
      throw OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")
    }
    guard isClosed else { return }
    do {
      try files.removePublishedLeftovers(keeping: timelines.values.map(\.files))
      try store.removeLeftovers()
    } catch { log(.warning, "could not remove temporary files that an earlier process left behind: \(error)") }
    let isUnanswered = authority.recoverToken()
    let wasClosedWell = CleanShutdownMarker(files).remove()
    for timeline in timelines.values { timeline.publisher.begin(isPublished: wasClosedWell) }
    do throws(OperationError) {
      try store.open(wasClosedWell: wasClosedWell)
      if provider.hasTimeline { core.learnWindow(from: (try? store.database.spans(of: .home))?.top?.newest.id) }
      starts.recover(askedAt: store.knownState.askedAt)
      if isUnanswered, starts.repeatsAtOnce { authority.repeatRenewal() }
      if !wasClosedWell { queue.async { self.restoreAfterUncleanEnd() } }
    } catch {
      guard allowsTemporaryDatabase, error.kind == .inputOutput, (try? store.openTemporarily()) != nil else {
        throw error
      }
      log(.error, "\(error)")
    }
  }

  /// Closes the database immediately. The remaining results of a running job are lost, and the next process publishes files that were not
  /// written. Call on the account's queue.
  package func close() {
    accountQueue.close()
    closeFiles()
  }

  /// Cancels all jobs except a running login, and closes the database when no job is running and all files are published. Work that reads
  /// the running job's results is then already in the queue.
  /// - Parameter done: called on the account's queue after that.
  package func retire(_ reason: String, _ done: @escaping @Sendable () -> Void = {}) {
    retiring.withLock { $0 = true }
    queue.async {
      self.login?.giveUp(reason)
      self.accountQueue.close(sparing: .login)
      self.accountQueue.whenIdle {
        let end = {
          self.closeFiles()
          done()
        }
        if self.isClosed { end() } else { self.finishPublishing(then: end) }
      }
    }
  }

  private func closeFiles() {
    hasEnded = true
    guard !isClosed else { return }
    let keepsLog = core.shared.shutdown.keepsLog()
    // With many accounts, the refresh times are recorded only in the markers, because storing them in a database requires a disk sync.
    if !store.unstored.isEmpty || store.unstored.quiet != nil && !keepsLog {
      do throws(StorageError) { try storeUnstored() } catch {
        log(.error, "the latest data could not be stored and will be fetched again: \(error)")
      }
    }
    for timeline in timelines.values { timeline.publisher.stop() }
    outbox.close()
    authority.renewer?.close()
    store.close(inHaste: keepsLog || leavesLog)
    // The next process then finds complete files.
    if isPublished, !isRendering { CleanShutdownMarker(files).write() }
  }

  /// Whether a process that runs only for one command leaves the write-ahead log to the next process. A checkpoint takes three disk
  /// syncs, and storing the result of a refresh takes one. The clean shutdown marker shows the next process that the remaining log is not
  /// a sign of a crash.
  private var leavesLog: Bool { !core.isInService && isPublished && store.database.isQuickToReopen }

  // MARK: Changes

  /// Counts the new posts of each timeline from now on, because a login of the account's user has succeeded.
  package func loggedIn() { for timeline in timelines.values { timeline.newSinceLogin = nil } }

  /// Replaces the account's dependencies. If they use a different server or different keys, a new generation begins, and the results of
  /// earlier requests are discarded. A timeline that the settings no longer name loses its published files, but keeps its archive.
  /// - Parameter published: called on the account's queue once the published files match the settings.
  package func adopt(_ dependencies: AccountDependencies, published: @escaping () -> Void = {}) {
    dispatchPrecondition(condition: .onQueue(queue))
    let isAnother = core.dependencies.isAnotherIdentity(than: dependencies)
    if isAnother || core.dependencies.requestsOtherScopes(than: dependencies) {
      login?.giveUp("the account's settings were changed")
    }
    if isAnother { accountQueue.advance() }
    let former = settings
    core.dependencies = dependencies
    let removed = changeTimelines()
    for timeline in timelines.values { timeline.adoptSettings() }
    readMarks.settingsWereChanged()
    authority.settingsWereChanged()
    let work = UnfinishedWork()
    work.begin()
    for timeline in removed {
      work.begin()
      timeline.end { work.end() }
    }
    publishAnew(unlike: former) { work.end() }
    work.whenDone(published)
  }

  /// Adds the timelines that the new settings name, and takes out the others.
  /// - Returns: the timelines that were taken out.
  private func changeTimelines() -> [AccountTimeline] {
    var timelines = timelines
    let names = Set(settings.timelines).union([.home])
    let removed = timelines.values.filter { !names.contains($0.name) }
    for timeline in removed { timelines[timeline.name] = nil }
    for name in names where timelines[name] == nil {
      do throws(OperationError) { timelines[name] = try makeTimeline(name) } catch { log(.error, "\(name): \(error)") }
    }
    all.withLock { $0 = timelines }
    return removed
  }

  /// Moves the previous user's files aside and creates an empty database. Call when no published file is being written:
  /// ``whenRendered(_:)``.
  package func setAside(userID: String) throws(OperationError) -> [String] {
    let former = try store.setAside(userID: userID)
    forgetMedia()
    return former
  }

  // MARK: The next refresh

  /// Returns the timelines whose next refresh is due. Without a token, none is. An account without timelines returns its home timeline if
  /// its token's renewal is due.
  package func dueTimelines(at now: Timestamp) -> [AccountTimeline] {
    do {
      guard try !authority.needsToken || authority.tokens.read() != nil else { return [] }
      guard provider.hasTimeline else { return isOver(authority.renewalDue, at: now) ? [home] : [] }
      let state = try store.state()
      return timelines.values.filter { isDue($0, state, at: now) }
    } catch {
      // The refresh will report the file's error.
      return Array(timelines.values)
    }
  }

  private func isDue(_ timeline: AccountTimeline, _ state: AccountState, at now: Timestamp) -> Bool {
    isOver(state.due(timeline.name, at: now, interval: spending.pace(of: timeline.settings)), at: now)
  }

  /// Returns whether a time has passed. If an earlier process exited during a request, the pause after that request must also have
  /// passed.
  private func isOver(_ moment: Timestamp?, at now: Timestamp) -> Bool {
    moment.map { max($0, starts.earliestByWall ?? $0) <= now } ?? false
  }
}

extension Account {
  /// Records the result of a token check. For an account with a timeline, only a final problem is recorded: as long as the token can be
  /// renewed, the timeline becomes stale only when a refresh fails.
  func noteToken(_ problem: Problem?) {
    let hasTimeline = provider.hasTimeline
    let isFinal = problem.map { RefreshOutcome($0).isFinal } ?? false
    guard !hasTimeline || isFinal else { return }
    let now = clock.now
    let change = { (state: inout AccountState) in
      for name in self.timelines.keys {
        state[name].problem = problem
        if problem == nil { state[name].refreshedAt = now }
        state[name].staleSince = problem == nil ? nil : state[name].staleSince ?? now
        if isFinal { state[name].nextRefreshAt = nil }
      }
    }
    if hasTimeline {
      store.update(change, publishing: { publish(then: $0) }) {
        if let failure = $0 { self.log(.error, failure.message) }
      }
    } else {
      do throws(StorageError) { try store.update(change) } catch {
        log(.error, "the account's state could not be stored: \(error)")
      }
    }
  }
}
