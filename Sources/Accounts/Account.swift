package import CivilTime
package import Dispatch
package import Files
package import HomelineOAuth
internal import HTTPClient
package import Media
package import Platform
package import Providers
internal import Publishing
package import Settings
package import Storage
internal import Timeline

/// One account at work: what it is, what it owns, and the lane in which all that happens to it happens.
// Sendable because everything that changes in it is touched on the lane's queue only.
package final class Account: @unchecked Sendable {
  package let name: AccountName
  package let accountQueue: AccountQueue
  package let files: AccountFiles
  private let storage: any StorageProvider
  package let publishers: Publishers
  package let tokens: any TokenStorage
  /// What is hidden in all that is quoted of the provider's answers.
  package let secrets = AccountSecrets()
  package let clock: WallClock
  package let log: Log
  /// When its provider was asked, as a later process finds it.
  package let starts: RequestStarts
  /// Counts its requests, over reloads too.
  private let requestCap: RequestCap
  /// Whether this process stays and has a schedule, whose plans hold whatever can be stored.
  package var isInService = false
  /// What the database has not taken yet.
  package var unstored = UnstoredWork()
  /// The state as it was last known.
  var lastState = AccountState()
  /// Rings when that is to be stored once more.
  var storageAlarm: Alarm?
  /// Rings when the formats are written that several refreshes share.
  var gatheringAlarm: Alarm?
  /// Told how many posts are new when what could not be stored is stored.
  package var onStored: ((Int) -> Void)?
  /// How it is worked with now; a reload can replace it.
  package private(set) var dependencies: AccountDependencies
  /// Which pages are asked for; begins anew with other settings.
  package var plan: TimelinePlan
  /// An access token that was refused although a renewal had just brought it: another one would be, too.
  package var doubtedToken: Secret?
  /// How many refreshes there were since the newest page was read once more; `nil` before the first time in this process.
  package var refreshesSinceReread: Int?
  /// Fetches the pictures of its page; `nil` where none are kept.
  package var pictures: (any PictureFetcher)?
  /// Whether the database's log still holds what was removed, since somebody read it then.
  package var hasLogToClear = false
  /// How many purges go on that an earlier owner has begun.
  package var interruptedPurges = 0 {
    didSet {
      guard interruptedPurges == 0 else { return }
      let waiting = whenPurged
      whenPurged = []
      for body in waiting { body() }
    }
  }
  /// Called when there are none of these any more.
  private var whenPurged: [() -> Void] = []
  /// The login that is under way.
  package var login: (any PendingLogin)?
  /// Who is told how far a round has come.
  private var watchers: [Int: (RoundProgress) -> Void] = [:]
  private var lastWatcher = 0
  private var opened: (any AccountStorage)?
  /// The revision of the storage that this process knows.
  private var revision = Revision(0)
  /// Whether what is published is known to be as the database has it.
  var isWhole = false
  /// Whether nothing may be asked of the files: before they are opened, and at the end.
  package private(set) var isClosed = true
  /// Whether it has come to its end, and opens nothing any more.
  package private(set) var hasEnded = false

  /// - Parameters:
  ///   - worker: the serial queue that its work is done on, beside that of other accounts.
  ///   - clock: what people's clocks show.
  ///   - boot: what nobody sets.
  package init(
    _ dependencies: AccountDependencies, layout: FileLayout, storage: any StorageProvider, publishers: Publishers,
    on worker: DispatchQueue,
    clock: WallClock,
    boot: @escaping @Sendable () -> BootInstant, log: Log
  ) {
    let account = dependencies.settings.name
    starts = RequestStarts(storage.starts(of: account), wall: clock, clock: boot)
    requestCap = RequestCap(clock: boot)
    self.dependencies = dependencies
    self.storage = storage
    self.publishers = publishers
    files = layout.files(of: account.text)
    self.clock = clock
    self.log = log.prefixed(account.text)
    name = account
    accountQueue = AccountQueue(label: "homeline.account.\(account)", on: worker)
    tokens = storage.tokens(of: account)
    plan = dependencies.plan
  }

  package var queue: DispatchQueue { accountQueue.queue }
  /// The pictures of all accounts.
  package var media: MediaStore? { publishers.media }
  package var settings: AccountSettings { dependencies.settings }
  package var provider: any Provider { dependencies.provider }

  /// Sends requests with the account's stamps. Made for each user of it, so that a reload changes nothing under a request.
  package lazy var providerClient = makeCaller()

  /// Where its tokens come from; `nil` with OAuth 1.0a, whose tokens do not end.
  package private(set) lazy var authorizationServer = makeAuthorizationServer()

  /// Keeps its token alive; `nil` where there is nothing to be renewed.
  package private(set) lazy var renewer = makeRenewer(after: nil)

  var publisher: TimelinePublisher {
    TimelinePublisher(
      files, tokens: tokens, provider: settings.provider, keepPosts: settings.keepPosts,
      feedPosts: settings.feedPosts, formats: settings.publish,
      budget: settings.prices == nil ? nil : settings.budget,
      media: media)
  }

  /// How long its posts are kept.
  package var retention: Retention {
    Retention(
      days: settings.keepDays, newest: settings.keepsArchive ? nil : settings.keepPosts,
      deletedDays: settings.eraseDeletedDays)
  }

  /// The account's token as it is kept, where there is one.
  package func loadToken() throws(StorageError) -> StoredToken? {
    let token = try tokens.load(at: clock.now)
    if let token { secrets.note(token.grant) }
    return token
  }

  // MARK: Being watched

  /// - Returns: what ends it.
  package func watchRounds(_ body: @escaping (RoundProgress) -> Void) -> Int {
    lastWatcher += 1
    watchers[lastWatcher] = body
    return lastWatcher
  }

  package func endWatching(_ watcher: Int) { watchers[watcher] = nil }

  package func tell(_ progress: RoundProgress) { for watcher in watchers.values { watcher(progress) } }

  /// Calls back when the purges have ended that an earlier owner has begun.
  package func afterInterruptedPurges(_ body: @escaping () -> Void) {
    if interruptedPurges == 0 { body() } else { whenPurged.append(body) }
  }

  // MARK: Opening and closing

  /// Opens the database, before anything else; one that is open stays so. To be called on the lane's queue.
  /// - Parameter standingIn: whether one in memory shall stand in for a file that cannot be read just now. The refreshes that are due
  ///   try again.
  /// - Throws: where it cannot be opened; it may be tried again.
  package func open(standingIn: Bool = false) throws(Failure) {
    dispatchPrecondition(condition: .onQueue(queue))
    if hasEnded || publishers.shutdown.isUnderWay { throw Failure(.tryAgain(at: nil), "homeline ends; ask again") }
    guard isClosed else { return }
    do {
      try files.removePublishedLeftovers()
      try storage.removeLeftovers(of: name)
    } catch { log(.warning, "what a homeline before has left half-written cannot be removed: \(error)") }
    recoverToken()
    isWhole = cleanShutdownMarker.remove()
    do throws(Failure) {
      try openDatabase(wasClosedWell: isWhole)
      isClosed = false
      starts.recover(askedAt: knownState.askedAt)
      if !isWhole { queue.async { self.restoreAfterUncleanEnd() } }
    } catch {
      guard standingIn, error.kind == .inputOutput, (try? standIn()) != nil else { throw error }
      isClosed = false
      log(.error, "\(error)")
      storeSoon()
    }
  }

  /// Closes the database at once, whatever has its turn: what that still learns is lost. To be called on the lane's queue.
  package func close() {
    accountQueue.close()
    closeDatabase()
  }

  /// Ends what waits, and closes the database behind the job that has its turn: its readers are queued before that.
  /// - Parameter done: called on the lane's queue when no job has its turn any more.
  package func retire(_ reason: String, _ done: @escaping @Sendable () -> Void = {}) {
    queue.async {
      self.login?.giveUp(reason)
      self.accountQueue.close(sparing: .login)
      self.accountQueue.whenIdle {
        self.closeDatabase()
        done()
      }
    }
  }

  private func closeDatabase() {
    hasEnded = true
    guard !isClosed else { return }
    let keepsLog = publishers.shutdown.keepsLog()
    // Of many accounts the marker has to do for the times of refreshes, which take a sync to store.
    if !unstored.isEmpty || unstored.quiet != nil && !keepsLog {
      do throws(StorageError) { try storeUnstored() } catch {
        log(.error, "what came last could not be stored and is asked for again: \(error)")
      }
    }
    publishGathered()
    isClosed = true
    for alarm in [storageAlarm, gatheringAlarm] { alarm?.set(nil) }
    storageAlarm = nil
    gatheringAlarm = nil
    renewer?.close()
    opened?.close(inHaste: !hasLogToClear && keepsLog)
    if isWhole { cleanShutdownMarker.write() }
  }

  private var cleanShutdownMarker: CleanShutdownMarker { CleanShutdownMarker(files) }

  package var database: any AccountStorage {
    guard let opened else { preconditionFailure("the account was used before it was opened") }
    return opened
  }

  /// Has the database closed while its files are moved, and opens what is there then.
  ///
  /// What cannot be opened has a database in memory stand in for it: the next refresh tries again.
  func reopenDatabase<Value>(
    after move: () throws(StorageError) -> Value, orSay trouble: String
  ) throws(Failure) -> Value {
    // What was spent stays spent, whatever becomes of the posts.
    let spent = try? database.spending()
    let former = knownState
    unstored.quiet = nil
    // Before the new one is opened: the last one to close a database removes the log by its name.
    database.close()
    plan = dependencies.plan
    let outcome: Result<Value, StorageError>
    do throws(StorageError) { outcome = .success(try move()) } catch { outcome = .failure(error) }
    do throws(Failure) { try openDatabase() } catch {
      try standIn()
      keep(spent)
      keepPacing(of: former)
      throw error
    }
    keep(spent)
    keepPacing(of: former)
    do throws(StorageError) { return try outcome.get() } catch { throw Failure(.inputOutput, "\(trouble): \(error)") }
  }

  /// Works by other means from now on. Where they lead to another server or use other keys, a new generation begins: what was
  /// asked by the former means does not count any more.
  package func adopt(_ dependencies: AccountDependencies) {
    dispatchPrecondition(condition: .onQueue(queue))
    if self.dependencies.isAnotherIdentity(than: dependencies) {
      login?.giveUp("the account's settings were changed")
      accountQueue.advance()
    }
    self.dependencies = dependencies
    plan = dependencies.plan
    providerClient = makeCaller()
    authorizationServer = makeAuthorizationServer()
    renewer = makeRenewer(after: renewer)
  }

  private func makeRenewer(after former: Renewer?) -> Renewer? {
    authorizationServer.map {
      Renewer(
        $0, of: provider, tokens: tokens, providerClient: providerClient, starts: starts, queue: queue,
        shutdown: publishers.shutdown,
        clock: clock, log: log, after: former)
    }
  }

  private func makeAuthorizationServer() -> AuthorizationServer? {
    guard case .oauth2(let profile) = provider.authorization else { return nil }
    return AuthorizationServer(
      profile, of: dependencies, storage: storage, providerClient: providerClient, secrets: secrets)
  }

  private func makeCaller() -> ProviderClient {
    let provider = provider
    let isSigned = if case .oauth1 = provider.authorization { true } else { false }
    let reach: ServerAddressPolicy? =
      if case .oauth2(let profile) = provider.authorization {
        ServerAddressPolicy(profile, provider: provider.host)
      } else { nil }
    return ProviderClient(
      client: dependencies.transport, queue: queue, clock: clock, stampsRequests: isSigned, reach: reach,
      cap: requestCap,
      requestsPerMinute: provider.traits.requestsPerMinute, classify: { provider.classify($0) },
      hiding: { [secrets, keys = dependencies.keys] in secrets.redaction(keys, sent: $0) }, log: log)
  }

  /// Brings a renewal to its end in whose middle a process before has ended.
  private func recoverToken() {
    do throws(StorageError) {
      switch try tokens.recover(at: clock.now) {
      case .nothing: break
      case .completed: log(.notice, "a renewed token that homeline had received when it was ended is taken up")
      case .unanswered:
        log(.warning, "homeline was ended while it waited for a renewed token; the token before it is tried again")
      }
    } catch { log(.error, "\(error)") }
  }

  private func keep(_ spent: SpendingRecord?) {
    guard let spent else { return }
    do throws(StorageError) {
      try write { (database, revision) throws(StorageError) in try database.adopt(spent, expecting: revision) }
    } catch {
      log(.warning, "what was spent until now could not be carried over: \(error)")
    }
  }

  private func standIn() throws(Failure) {
    do throws(StorageError) { try take(try storage.temporaryStorage(for: timeline, on: queue)) } catch {
      throw Failure(error)
    }
  }

  /// - Parameter wasClosedWell: whether the process before is known to have closed it, though it may have kept the log.
  private func openDatabase(wasClosedWell: Bool = false) throws(Failure) {
    do throws(StorageError) {
      let database = try storage.open(timeline, at: clock.now, wasClosedWell: wasClosedWell, on: queue)
      if let damage = database.damage {
        log(.warning, "the database was damaged; it was kept as \(damage.aside); \(damage.salvaged)")
      }
      try take(database)
    } catch { throw Failure(error) }
  }

  private func take(_ database: any AccountStorage) throws(StorageError) {
    revision = try database.revision()
    opened = database
  }

  // MARK: The storage

  /// The timeline that is stored.
  var timeline: TimelineKey { .home(of: name) }

  /// Moves the storage of the former user aside, or damaged storage; it must be closed.
  func setAsideStorage(of userID: String) throws(StorageError) -> [String] {
    try storage.setAside(name, userID: userID, at: clock.now)
  }

  func setAsideDamaged() throws(StorageError) -> String { try storage.setAsideDamaged(timeline, at: clock.now) }

  package func importedPosts(_ name: String) -> any ImportSource { storage.importedPosts(name, for: self.name) }

  /// Looks at the storage as it is now, before a job decides by it: another program may have written to it since the last one.
  func learnRevision() {
    if let current = try? database.revision() { revision = current }
  }

  /// Writes to the storage by the revision that is known of it.
  /// - Throws: `.outdated` where somebody else has written to it; from then on it is known as it is now.
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
}

/// How far the pages of a round have come.
package struct RoundProgress: Sendable, Hashable {
  package let pages: Int
  /// A round may end before.
  package let atMost: Int
  /// How many new posts the pages have brought.
  package let posts: Int

  package init(pages: Int, atMost: Int, posts: Int) {
    self.pages = pages
    self.atMost = atMost
    self.posts = posts
  }
}
