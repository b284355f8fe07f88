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

/// One account: its settings, its storage, its connections, and the queue that runs all of its work.
// Sendable because all mutable state is accessed only on the account's queue.
package final class Account: @unchecked Sendable {
  package let name: AccountName
  package let accountQueue: AccountQueue
  package let files: AccountFiles
  private let storage: any StorageProvider
  package let publishers: Publishers
  package let tokens: any TokenStorage
  /// The secrets to hide when quoting the provider's responses.
  package let secrets = AccountSecrets()
  package let clock: WallClock
  package let log: Log
  /// The start times of requests, kept for a later process.
  package let starts: RequestStarts
  /// Counts the account's requests, across reloads.
  private let requestCap: RequestCap
  /// Whether this process is a service with a schedule. A service keeps its plans in memory, so they remain valid even if nothing can be
  /// stored.
  package var isInService = false
  /// The data that is not in the database yet.
  package var unstored = UnstoredWork()
  /// Whether a lost login has been announced; `nil` until this process knows.
  var lostLogin: LostLogin?
  /// The last known state.
  var lastState = AccountState()
  /// Fires when it is time to try storing the unstored data again.
  var storageAlarm: Alarm?
  /// Fires when it is time to write the files whose writing was postponed.
  var gatheringAlarm: Alarm?
  /// The account's current settings and connections. A reload can replace them.
  package private(set) var dependencies: AccountDependencies
  /// Plans which page to request next. The plan is reset when the settings change.
  package var plan: TimelinePlan
  /// An access token that was rejected right after a renewal. Another renewal would not help.
  package var doubtedToken: Secret?
  /// Whether the write-ahead log still contains purged data because another process was reading the database during the purge.
  package var hasLogToClear = false
  /// The objects that work for the account across several jobs.
  private(set) var parts: [any AccountPart] = []
  private var opened: (any AccountStorage)?
  /// The storage revision that this process knows.
  private var revision = Revision(0)
  /// Whether the published files are known to match the database.
  var isPublished = false
  /// Whether the files must not be used: before the account has opened them, and after it has closed them.
  package private(set) var isClosed = true
  /// Whether the account has ended and will not open its files again.
  package private(set) var hasEnded = false

  /// - Parameters:
  ///   - worker: the serial queue that runs the work of this account and others.
  ///   - clock: the wall clock.
  ///   - boot: the clock that cannot be set.
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

  /// Sends requests with the account's nonces and timestamps. A reload creates another client and does not affect a running request.
  package lazy var providerClient = makeProviderClient()

  /// The server that issues the account's tokens; `nil` with OAuth 1.0a, whose tokens do not expire.
  package private(set) lazy var authorizationServer = makeAuthorizationServer()

  /// Renews the account's token; `nil` if its tokens are not renewed.
  package private(set) lazy var renewer = makeRenewer(after: nil)

  var publisher: TimelinePublisher {
    TimelinePublisher(
      files, tokens: tokens, provider: settings.provider, keepPosts: settings.keepPosts,
      feedPosts: settings.feedPosts, formats: settings.publish,
      budget: settings.prices == nil ? nil : settings.budget,
      media: media)
  }

  /// How long the account's posts are kept.
  package var retention: Retention {
    Retention(
      days: settings.keepDays, newest: settings.keepsArchive ? nil : settings.keepPosts,
      deletedDays: settings.eraseDeletedDays)
  }

  /// Loads the account's token, if a token is stored.
  package func loadToken() throws(StorageError) -> StoredToken? {
    let token = try tokens.load(at: clock.now)
    if let token { secrets.note(token.grant) }
    return token
  }

  // MARK: Parts

  /// Returns the part of this type.
  /// - Parameter type: a class, or a protocol that only one of the parts conforms to.
  package func part<Part>(_ type: Part.Type) -> Part? { parts.lazy.compactMap { $0 as? Part }.first }

  /// Returns the part of this type, which is created if the account does not have one yet.
  package func part<Part: AccountPart>(orAttach make: @autoclosure () -> Part) -> Part {
    if let part = part(Part.self) { return part }
    let part = make()
    attach(part)
    return part
  }

  package func attach(_ part: any AccountPart) { parts.append(part) }

  package func detach(_ part: any AccountPart) { parts.removeAll { $0 === part } }

  /// Tells the parts that the user has logged in.
  package func loggedIn() { for part in parts { part.loggedIn() } }

  // MARK: Opening and closing

  /// Opens the database. Call this before anything else, on the account's queue; it has no effect if the database is already open.
  /// - Parameter allowsTemporaryDatabase: whether to use a database in memory if the file cannot be read now. Later refreshes try to open
  ///   the file again.
  /// - Throws: an error if the database could not be opened. The caller may try again.
  package func open(allowsTemporaryDatabase: Bool = false) throws(OperationError) {
    dispatchPrecondition(condition: .onQueue(queue))
    if hasEnded || publishers.shutdown.isUnderWay {
      throw OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")
    }
    guard isClosed else { return }
    do {
      try files.removePublishedLeftovers()
      try storage.removeLeftovers(of: name)
    } catch { log(.warning, "could not remove temporary files that an earlier process left behind: \(error)") }
    recoverToken()
    isPublished = cleanShutdownMarker.remove()
    do throws(OperationError) {
      try openDatabase(wasClosedWell: isPublished)
      isClosed = false
      starts.recover(askedAt: knownState.askedAt)
      if !isPublished { queue.async { self.restoreAfterUncleanEnd() } }
      // With many accounts, this frees the memory that opening the databases has used.
      restSoon(isLong: false)
    } catch {
      guard allowsTemporaryDatabase, error.kind == .inputOutput, (try? openTemporaryDatabase()) != nil else {
        throw error
      }
      isClosed = false
      log(.error, "\(error)")
      storeSoon()
    }
  }

  /// Closes the database at once. The remaining results of a running job are lost. Call on the account's queue.
  package func close() {
    accountQueue.close()
    closeDatabase()
  }

  /// Cancels all jobs except a running login, and closes the database when no job is running. By then, work that reads the running job's
  /// results is already in the queue.
  /// - Parameter done: called on the account's queue when no job is running.
  package func retire(_ reason: String, _ done: @escaping @Sendable () -> Void = {}) {
    queue.async {
      self.giveUp(reason)
      self.accountQueue.close(sparing: .login)
      self.accountQueue.whenIdle {
        self.closeDatabase()
        done()
      }
    }
  }

  /// Ends the work that waits for the user. A part may be detached by this.
  private func giveUp(_ reason: String) { for part in parts { part.giveUp(reason) } }

  private func closeDatabase() {
    hasEnded = true
    guard !isClosed else { return }
    let keepsLog = publishers.shutdown.keepsLog()
    // With many accounts, the refresh times are recorded only in the markers, because storing them in a database requires a disk sync.
    if !unstored.isEmpty || unstored.quiet != nil && !keepsLog {
      do throws(StorageError) { try storeUnstored() } catch {
        log(.error, "the latest data could not be stored and will be fetched again: \(error)")
      }
    }
    publishGathered()
    for part in parts { part.close() }
    isClosed = true
    for alarm in [storageAlarm, gatheringAlarm] { alarm?.set(nil) }
    storageAlarm = nil
    gatheringAlarm = nil
    renewer?.close()
    opened?.close(inHaste: !hasLogToClear && (keepsLog || leavesLog))
    if isPublished { cleanShutdownMarker.write() }
  }

  /// Whether a process that runs only for one command leaves the write-ahead log to the next process. A checkpoint takes three disk
  /// syncs, and storing the result of a refresh takes one. The clean shutdown marker shows the next process that the remaining log is not
  /// a sign of a crash.
  private var leavesLog: Bool { !isInService && isPublished && opened?.isQuickToReopen == true }

  private var cleanShutdownMarker: CleanShutdownMarker { CleanShutdownMarker(files) }

  package var database: any AccountStorage {
    guard let opened else { preconditionFailure("the account was used before it was opened") }
    return opened
  }

  /// Closes the database, moves its files, and opens whatever database is then in their place.
  ///
  /// If that database cannot be opened, a database in memory is used, and the next refresh tries again.
  func reopenDatabase<Value>(
    after move: () throws(StorageError) -> Value, orSay trouble: String
  ) throws(OperationError) -> Value {
    // Spending is still counted, even if posts are lost.
    let spent = try? database.spending()
    let former = knownState
    unstored.quiet = nil
    // Close the old database before opening the new one: closing the last connection removes the log file by its name, and the new
    // database's log has the same name.
    database.close()
    plan = dependencies.plan
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

  /// Replaces the account's dependencies. If they use a different server or different keys, a new generation begins, and the results of
  /// earlier requests are discarded.
  package func adopt(_ dependencies: AccountDependencies) {
    dispatchPrecondition(condition: .onQueue(queue))
    if self.dependencies.isAnotherIdentity(than: dependencies) {
      giveUp("the account's settings were changed")
      accountQueue.advance()
    }
    let former = settings
    self.dependencies = dependencies
    plan = dependencies.plan
    providerClient = makeProviderClient()
    authorizationServer = makeAuthorizationServer()
    renewer = makeRenewer(after: renewer)
    if !former.isPublished(like: settings) { publishAnew() }
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

  private func makeProviderClient() -> ProviderClient {
    let provider = provider
    let isSigned = if case .oauth1 = provider.authorization { true } else { signsRequests }
    let reach: ServerAddressPolicy? =
      if case .oauth2(let profile) = provider.authorization {
        ServerAddressPolicy(profile, provider: provider.host)
      } else { nil }
    return ProviderClient(
      client: dependencies.transport, queue: queue, clock: clock, sendsTimestamps: isSigned, reach: reach,
      cap: requestCap,
      requestsPerMinute: provider.traits.requestsPerMinute, classify: { provider.classify($0) },
      hiding: { [secrets, keys = dependencies.keys] in secrets.redaction(keys, sent: $0) }, log: log)
  }

  /// Completes a renewal that was in progress when an earlier process exited.
  private func recoverToken() {
    do throws(StorageError) {
      switch try tokens.recover(at: clock.now) {
      case .nothing: break
      case .completed: log(.notice, "recovered a renewed token that an earlier process had received before it ended")
      case .unanswered:
        log(.warning, "an earlier process ended while waiting for a renewed token; trying the previous token again")
      }
    } catch { log(.error, "\(error)") }
    encryptToken()
  }

  /// Encrypts a token that an interrupted `homeline keyring enable` left in a plain file.
  private func encryptToken() {
    guard storage.protection?.current == .keyring else { return }
    do throws(StorageError) {
      if try tokens.applyProtection() { log(.notice, "the token is encrypted now, with the key in the keyring") }
    } catch {
      // The first request reports this error.
      log(.debug, "the token was not checked for encryption: \(error)")
    }
  }

  private func keep(_ spent: SpendingRecord?) {
    guard let spent else { return }
    do throws(StorageError) {
      try write { (database, revision) throws(StorageError) in try database.adopt(spent, expecting: revision) }
    } catch {
      log(.warning, "the spending records could not be carried over: \(error)")
    }
  }

  private func openTemporaryDatabase() throws(OperationError) {
    do throws(StorageError) { try take(try storage.temporaryStorage(for: timeline, on: queue)) } catch {
      throw OperationError(error)
    }
  }

  /// Opens the database, creating it if it does not exist.
  /// - Parameter wasClosedWell: whether the previous process is known to have closed the database. It may still have kept the log.
  private func openDatabase(wasClosedWell: Bool = false) throws(OperationError) {
    do throws(StorageError) {
      let database = try storage.open(timeline, at: clock.now, wasClosedWell: wasClosedWell, on: queue)
      if let damage = database.damage {
        log(.warning, "the database was corrupt; it was moved to \(damage.aside); \(damage.salvaged)")
      }
      try take(database)
    } catch { throw OperationError(error) }
  }

  private func take(_ database: any AccountStorage) throws(StorageError) {
    revision = try database.revision()
    opened = database
  }

  // MARK: The storage

  /// The stored timeline.
  var timeline: TimelineKey { .home(of: name) }

  /// Moves the previous user's storage aside. The storage must be closed.
  func setAsideStorage(of userID: String) throws(StorageError) -> [String] {
    try storage.setAside(name, userID: userID, at: clock.now)
  }

  func setAsideDamaged() throws(StorageError) -> String { try storage.setAsideDamaged(timeline, at: clock.now) }

  package func importedPosts(_ name: String) -> any ImportSource { storage.importedPosts(name, for: self.name) }

  /// Reads the storage's current revision before a job relies on it. Another program may have written to the storage since the last job.
  func learnRevision() {
    if let current = try? database.revision() { revision = current }
  }

  /// Writes to the storage, expecting its last known revision.
  /// - Throws: `.outdated` if another program has written to the storage. By then, the account knows the storage's current revision.
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
