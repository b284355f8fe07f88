package import Accounts
package import Dispatch
package import Folders
internal import Formats
package import HTTPClient
package import HTTPServer
internal import Login
package import Platform
internal import Providers
package import PublishedFiles
internal import Secrets
package import Settings
package import Storage
package import Time
package import Timeline

/// Manages the accounts for the state owner: opens each account when it is first needed, and carries out requests for it.
///
/// Only the holder of the owner lock may create one.
// Sendable because its mutable state is accessed only on `queue`.
package final class AccountManager: @unchecked Sendable {
  private let layout: FileLayout
  package let storage: any StorageProvider
  private let transport: Client
  /// The media store. Account queues may wait for its queue, but not the other way round.
  package let media: MediaStore
  let callbackServer: CallbackServer
  private lazy var lazyUsers = makeUsers()
  /// The users of all accounts.
  var users: AccountUsers { queue.sync { lazyUsers } }
  let clock: WallClock
  private let log: Log
  /// Work on this queue does not wait for other queues.
  private let queue = DispatchQueue(label: "homeline.accounts")
  let factory: AccountFactory
  let shared: SharedServices
  package let scheduler: Scheduler
  private let isScheduling = Locked(false)
  private let settings: Locked<Configuration>
  private var accounts: [AccountName: Account] = [:]
  /// The accounts that fetch the pictures of each view's page.
  private var fetchers: [AccountName: Set<AccountName>] = [:]
  private var isClosed = false

  /// - Parameters:
  ///   - layout: the locations of published files.
  ///   - environment: the variables for secrets, and for libcurl's certificates and proxies.
  ///   - gathering: how long files that are not written at every refresh wait for more refreshes; see ``PublishedForm/isGathered``.
  ///   - log: receives messages for the user other than results of requests; called on any queue.
  package init(
    configuration: Configuration, layout: FileLayout, storage: any StorageProvider, folders: BaseDirectories,
    environment: [String: String], userAgent: String, clocks: Clocks = .system,
    gathering: Duration = PublishedForm.gathering,
    log: Log
  ) {
    let clock = clocks.wall
    settings = Locked(configuration)
    self.layout = layout
    self.storage = storage
    self.clock = clock
    self.log = log
    transport = Client(policy: ClientPolicy(userAgent: userAgent, environment: environment))
    media = MediaStore(
      layout.mediaFolder, limit: configuration.media.byteLimit, clock: clock, log: log.prefixed("pictures"))
    media.retain(owners: configuration.mediaOwners)
    shared = SharedServices(
      views: ViewUpdater(
        configuration.views, layout: layout, storage: storage, media: media, clock: clock, gathering: gathering,
        log: log),
      announcer: Announcer(environment: environment, log: log), media: media, gathering: gathering)
    factory = AccountFactory(
      layout: layout, storage: storage, secrets: SecretResolver(variables: environment, folders: folders),
      transport: transport,
      shared: shared, configuration: configuration, environment: environment, clock: clock, boot: clocks.boot,
      log: log)
    scheduler = Scheduler(clocks: clocks, log: log)
    callbackServer = CallbackServer(configuration.callback, clock: clock, log: log)
    shared.views.tellWanted { [weak self] view, pictures in self?.fetch(pictures, for: view) }
    shared.views.tellPublished { [changes = shared.changes] view, summary in changes.report(.view(view, summary)) }
    shared.views.removeLeftovers()
    do throws(StorageError) { try storage.removeLeftovers() } catch {
      log(.warning, "could not remove a server's temporary files that an earlier process left behind: \(error)")
    }
    do throws(SystemError) {
      try layout.removeAbandonedFiles()
      try layout.removeAbandonedStaging()
    } catch {
      log(.warning, "could not remove temporary files that a killed process left behind: \(error)")
    }
  }

  /// Fetches the pictures that a view shows, each through the account that received the post.
  private func fetch(_ pictures: [AccountName: [String]], for view: AccountName) {
    queue.async {
      let former = self.fetchers.updateValue(Set(pictures.keys), forKey: view) ?? []
      // An account whose posts have left the page fetches none of their pictures any more.
      for name in former.union(pictures.keys) {
        guard let account = self.accounts[name] else { continue }
        let urls = pictures[name] ?? []
        account.queue.async {
          if !account.isClosed { account.pictures.want(urls, by: "view:\(view)") }
        }
      }
    }
  }

  /// Calls back on an account's queue, after the pictures that views have asked for so far.
  func afterPictures(of account: Account, _ body: @escaping @Sendable () -> Void) {
    queue.async { account.queue.async(execute: body) }
  }

  /// Uses this socket to ask the kernel which users callback connections belong to. Call before the sockets are adopted.
  package func adoptDiagnosis(_ diagnosis: SocketDiagnosis) { callbackServer.adopt(diagnosis) }

  /// Receives redirects on sockets handed over by a service manager. Call once, before the first login.
  package func adoptCallback(_ sockets: AdoptedSockets) throws(OperationError) { try callbackServer.adopt(sockets) }

  /// The current configuration.
  package var configuration: Configuration { settings.withLock { $0 } }

  // MARK: Requests

  /// Returns the users of all accounts. Call on the account manager's queue.
  private func makeUsers() -> AccountUsers {
    AccountUsers(storage, accounts: { [weak self] in self?.configuration.accounts ?? [] }) {
      [weak self] settings, done in
      let account: Account
      do throws(OperationError) {
        guard let self else { throw OperationError(.tryAgain(at: nil), "homeline is shutting down; try again") }
        account = try self.madeAccount(settings)
      } catch { return done(.failure(error)) }
      account.queue.async {
        done(
          Result { () throws(OperationError) in
            try Self.open(account)
            return account
          })
      }
    }
  }

  /// Refreshes timelines of each account now. The completion receives all reports, in the order of the accounts and their timelines, on
  /// `queue`.
  /// - Parameters:
  ///   - names: the timelines; `nil` for all timelines of each account.
  ///   - onlyDue: whether to skip accounts that are not authorised, and timelines whose next refresh is scheduled for later. For these, only
  ///     a deleted published file is restored.
  ///   - progress: called on the accounts' queues after each page except the last one of a timeline.
  package func refresh(
    _ accounts: [AccountSettings], _ names: [TimelineName]? = nil, onlyDue: Bool = false, on queue: DispatchQueue,
    progress: (@Sendable (RoundProgress) -> Void)? = nil, completion: @escaping @Sendable ([RefreshReport]) -> Void
  ) {
    let all = DispatchGroup()
    let reports = Locked([[RefreshReport]](repeating: [], count: accounts.count))
    for (index, account) in accounts.enumerated() {
      all.enter()
      refresh(account, names, onlyDue: onlyDue, progress) { report in
        reports.withLock { $0[index] = report }
        all.leave()
      }
    }
    all.notify(queue: queue) { completion(reports.withLock { $0.flatMap(\.self) }) }
  }

  /// Returns when the account's next refresh is due, for a caller that waits for it; `nil` if none is scheduled.
  package func nextRefresh(of account: AccountSettings) throws(OperationError) -> Timestamp? {
    let account = try self.account(account)
    return account.queue.sync {
      account.isClosed ? nil : account.store.knownState.earliestRefresh(of: account.timelines.keys)
    }
  }

  /// Returns the locations of the account's files.
  package func files(of account: AccountSettings) -> AccountFiles { layout.files(of: account.name.text) }

  /// Returns the locations of the files of the account with this name.
  func files(of account: String) -> AccountFiles { layout.files(of: account) }

  /// The HTTP client, for a caller that acts as the browser at the simulated provider.
  package var client: Client { transport }

  private func refresh(
    _ settings: AccountSettings, _ names: [TimelineName]?, onlyDue: Bool,
    _ progress: (@Sendable (RoundProgress) -> Void)?,
    completion: @escaping @Sendable ([RefreshReport]) -> Void
  ) {
    let account: Account
    do throws(OperationError) { account = try self.account(settings) } catch {
      return completion([RefreshReport(account: settings.name.text, timeline: .home, outcome: .unable(error))])
    }
    let timelines: [AccountTimeline]
    do throws(OperationError) { timelines = try Self.timelines(of: account, names ?? settings.timelines) } catch {
      return completion([RefreshReport(account: settings.name.text, timeline: .home, outcome: .unable(error))])
    }
    account.queue.async { [scheduler, clock] in
      guard !account.isClosed || !onlyDue else { return completion([]) }
      let due = onlyDue ? Set(account.dueTimelines(at: clock.now).map(\.name)) : Set(timelines.map(\.name))
      let watcher = progress.map { account.rounds.add($0) }
      let all = DispatchGroup()
      let reports = Locked([RefreshReport?](repeating: nil, count: timelines.count))
      for (index, timeline) in timelines.enumerated() {
        all.enter()
        let end: @Sendable (RefreshReport?) -> Void = { report in
          reports.withLock { $0[index] = report }
          all.leave()
        }
        guard !due.contains(timeline.name) else {
          scheduler.refresh(timeline, of: account, completion: end)
          continue
        }
        timeline.publisher.restorePublished { failure in
          end(
            failure.map {
              RefreshReport(account: settings.name.text, timeline: timeline.name, outcome: .unable($0))
            })
        }
      }
      all.notify(queue: account.queue) {
        if let watcher { account.rounds.remove(watcher) }
        completion(reports.withLock { $0.compactMap(\.self) })
      }
    }
  }

  /// Returns the timelines of an account with these names. An account without timelines has its home timeline for its token.
  private static func timelines(of account: Account, _ names: [TimelineName]) throws(OperationError)
    -> [AccountTimeline]
  {
    var chosen: [AccountTimeline] = []
    for name in account.provider.hasTimeline ? names : [.home] {
      guard let timeline = account.timelines[name] else {
        throw OperationError(
          .configuration, "the account has no timeline \(name); reload the configuration if it was changed")
      }
      chosen.append(timeline)
    }
    return chosen
  }

  /// Refreshes all timelines of an account at the end of its login, its home timeline first.
  /// - Parameters:
  ///   - each: receives the report of each timeline; called on any queue.
  ///   - completion: called once, on any queue, after all of them.
  func refreshAfterLogin(
    _ account: Account, _ progress: @escaping @Sendable (RoundProgress) -> Void,
    each: @escaping @Sendable (RefreshReport) -> Void, completion: @escaping @Sendable () -> Void
  ) {
    account.queue.async {
      let watcher = account.rounds.add(progress)
      let others = account.timelines.values.filter { $0.name != .home }.sorted { "\($0.name)" < "\($1.name)" }
      self.scheduler.refreshAfterLogin([account.home] + others, of: account, each: each) {
        account.queue.async { account.rounds.remove(watcher) }
        completion()
      }
    }
  }

  var openAccounts: [Account] { queue.sync { Array(accounts.values) } }

  /// Calls back, on the account manager's queue, once the open accounts have finished the purges that an earlier process started.
  package func afterInterruptedPurges(_ completion: @escaping @Sendable () -> Void) {
    let all = DispatchGroup()
    for account in openAccounts {
      all.enter()
      account.queue.async { account.interruptedPurges.whenDone { all.leave() } }
    }
    all.notify(queue: queue, execute: completion)
  }

  // MARK: Opening, changing and closing

  /// Returns the account with these settings, opening it if necessary. Waits for the account's queue.
  package func account(_ settings: AccountSettings) throws(OperationError) -> Account {
    let account = try madeAccount(settings)
    let outcome = account.queue.sync { Result { () throws(OperationError) in try Self.open(account) } }
    try outcome.get()
    return account
  }

  /// Opens an account if necessary, and continues with any purges and posts that an earlier process left unfinished. Call on the account's
  /// queue.
  private static func open(_ account: Account, allowsTemporaryDatabase: Bool = false) throws(OperationError) {
    let isFirst = account.isClosed
    try account.open(allowsTemporaryDatabase: allowsTemporaryDatabase)
    if isFirst {
      PurgeJob.finishInterrupted(of: account)
      account.outbox.resume()
    }
  }

  /// Returns the account with this name, which may not be open yet. It has the current settings: a reload may have changed or removed them
  /// since the caller read its own.
  private func madeAccount(_ settings: AccountSettings) throws(OperationError) -> Account {
    let outcome: Result<Account, OperationError> = queue.sync {
      if isClosed { return .failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")) }
      if let account = accounts[settings.name] { return .success(account) }
      guard let current = configuration[settings.name] else {
        return .failure(
          OperationError(.configuration, "the account \(settings.name) was removed from the configuration"))
      }
      do throws(OperationError) {
        let account = try factory.account(current)
        accounts[settings.name] = account
        return .success(account)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// Refreshes the enabled accounts from now on whenever they are due.
  /// - Parameter started: called once, on any queue, when the state of all accounts is known.
  package func startSchedule(started: @escaping @Sendable () -> Void = {}) {
    storage.protection?.onKeyAvailable { [weak self] in self?.scheduleAgain() }
    var open: [Account] = []
    for settings in configuration.enabledAccounts {
      do throws(OperationError) { open.append(try accountInService(settings)) } catch {
        log(.error, "\(settings.name): \(error)")
      }
    }
    isScheduling.withLock { $0 = true }
    scheduler.start(with: open, started: started)
  }

  /// Returns the account. It is opened before any later request on its queue.
  private func accountInService(_ settings: AccountSettings) throws(OperationError) -> Account {
    let account = try madeAccount(settings)
    account.queue.async { [log, shared] in
      do throws(OperationError) {
        try Self.open(account, allowsTemporaryDatabase: true)
        account.core.isInService = true
      } catch { if !shared.shutdown.isUnderWay { log(.error, "\(settings.name): \(error)") } }
    }
    return account
  }

  /// Applies a new configuration. If an account's server or keys have changed, the account begins a new generation. Removed accounts are
  /// closed after their current jobs. The logins of all other accounts continue.
  /// - Parameter published: called on any queue once the accounts and views whose published files the configuration changes have been
  ///   published.
  package func adopt(_ configuration: Configuration, published: @escaping @Sendable () -> Void = {}) {
    storage.protection?.adopt(configuration.protection)
    callbackServer.reconfigure(configuration.callback)
    let all = DispatchGroup()
    all.enter()
    shared.views.adopt(configuration.views) { all.leave() }
    media.adopt(limit: configuration.media.byteLimit)
    media.retain(owners: configuration.mediaOwners)
    settings.withLock { $0 = configuration }
    queue.sync {
      factory.adopt(configuration.media)
      for (name, account) in accounts {
        guard let new = configuration[name] else {
          accounts[name] = nil
          account.retire("the account was removed from the configuration") { [weak self] in
            account.forgetMedia()
            self?.removeUnused(name)
          }
          scheduler.remove(name)
          continue
        }
        if !new.isEnabled { scheduler.remove(name) }
        // This includes unchanged accounts, whose secrets are read again.
        do throws(OperationError) {
          let dependencies = QueueConfined(try factory.dependencies(for: new))
          all.enter()
          account.queue.async {
            if account.hasEnded { all.leave() } else { account.adopt(dependencies.value) { all.leave() } }
          }
        } catch { log(.error, "\(name): \(error)") }
      }
    }
    all.notify(queue: queue, execute: published)
    if isScheduling.withLock({ $0 }) { scheduleAgain() }
  }

  /// Reschedules the enabled accounts after a change that may have solved their problems.
  private func scheduleAgain() {
    for account in configuration.enabledAccounts {
      do throws(OperationError) { scheduler.put(try accountInService(account)) } catch {
        log(.error, "\(account.name): \(error)")
      }
    }
  }

  /// Returns the account with this name if it is in use. Otherwise does the work; the account cannot be opened in the meantime.
  func accountInUse(_ name: AccountName, orElse work: () -> Void) -> Account? {
    queue.sync {
      if let account = accounts[name] { return account }
      work()
      return nil
    }
  }

  /// Removes the storage of an account that was never used, such as one whose user has another account. The configuration may meanwhile
  /// contain an account with this name again.
  private func removeUnused(_ name: AccountName) {
    _ = accountInUse(name) {
      do throws(StorageError) { try storage.removeUnused(name) } catch {
        log(.warning, "\(name): the empty files of the removed account could not be deleted: \(error)")
      }
    }
  }

  /// Ends the work in progress, stores data that must not be lost, and closes the accounts. If a provider is issuing a token, this waits
  /// slightly longer than `grace`; the next state owner repeats all other requests. An account that is still busy after that, for example
  /// because of a slow disk, is not closed. Its data on disk is consistent at any time.
  /// - Parameter completion: called on a queue of the account manager.
  package func shutDown(grace: Duration = .milliseconds(1300), completion: @escaping @Sendable () -> Void) {
    shared.shutdown.begin()
    scheduler.stop()
    let open = queue.sync {
      isClosed = true
      return Array(accounts.values)
    }
    let all = DispatchGroup()
    for account in open {
      all.enter()
      account.retire("homeline is shutting down") { all.leave() }
    }
    let isClosing = Locked(false)
    let close: @Sendable () -> Void = {
      guard isClosing.setOnce() else { return }
      self.close()
      completion()
    }
    let ending = DispatchQueue(label: "homeline.ending")
    // A token whose user has not been determined yet can still be stored once the request for the user has been cancelled.
    let last = try? Alarm(on: ending, close)
    let first = try? Alarm(on: ending) { [transport] in
      transport.stop()
      last?.set(.now + Self.lastGrace)
    }
    first?.set(.now + grace)
    all.notify(queue: ending) {
      first?.set(nil)
      last?.set(nil)
      close()
    }
  }

  /// How long jobs have to end after their requests were cancelled.
  private static let lastGrace = Duration.milliseconds(400)

  /// How long accounts that are then still open have to close.
  private static let timeToClose = Duration.milliseconds(100)

  /// Closes every account's database and stops the accounts' services. Accounts that cannot be closed in time are left as they are.
  private func close() {
    transport.stop()
    let open = queue.sync {
      defer { accounts = [:] }
      isClosed = true
      return Array(accounts.values)
    }
    let all = DispatchGroup()
    let left = Locked(open.count)
    for account in open {
      account.queue.async(group: all) {
        account.close()
        left.withLock { $0 -= 1 }
      }
    }
    let end = DispatchTime.now() + .nanoseconds(Int(Self.timeToClose / .nanoseconds(1)))
    if all.wait(timeout: end) == .timedOut {
      let count = left.withLock { $0 }
      log(
        .warning,
        "\(count) of \(open.count) accounts could not be closed in time and are left as after a crash; the next start recovers them"
      )
    }
    shared.views.end()
    shared.announcer.end()
    queue.sync { factory.stop() }
    media.close()
  }
}
