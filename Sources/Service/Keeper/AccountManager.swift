package import Accounts
package import CivilTime
package import Dispatch
package import Files
internal import HomelineOAuth
package import HTTPClient
package import HTTPServer
package import Login
internal import Media
package import Platform
internal import Providers
internal import Publishing
package import Refresh
package import Settings
package import Storage

/// Looks after the accounts on behalf of whoever owns the state: opens each when it is first needed, and does with it what is asked.
///
/// To be made by the holder of the owner's lock only.
// Sendable because everything that changes in it is touched on `queue` only.
package final class AccountManager: @unchecked Sendable {
  private let layout: FileLayout
  let storage: any StorageProvider
  private let transport: Client
  /// Lies below the accounts' queues.
  let media: MediaStore
  private let callbackServer: CallbackServer
  private let clock: WallClock
  private let log: Log
  /// Nothing waits on it.
  private let queue = DispatchQueue(label: "homeline.keeper")
  private let factory: AccountFactory
  private let publishers: Publishers
  package let scheduler: Scheduler
  private let isScheduling = Locked(false)
  private let settings: Locked<Configuration>
  private var accounts: [AccountName: Account] = [:]
  private var isClosed = false

  /// - Parameters:
  ///   - layout: where files are published.
  ///   - environment: for secrets, and for what libcurl is told of certificates and proxies.
  ///   - gathering: how long files wait for further refreshes that are not written by each; see ``PublishedForm/isGathered``.
  ///   - log: told what the user should know besides the outcome of what was asked; called on any queue.
  package init(
    configuration: Configuration, layout: FileLayout, storage: any StorageProvider, folders: BaseDirectories,
    environment: [String: String], userAgent: String, clocks: Clocks = .system, gathering: Duration = .seconds(60),
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
    publishers = Publishers(
      views: ViewUpdater(
        configuration.views, layout: layout, storage: storage, media: media, clock: clock, gathering: gathering,
        log: log),
      announcer: Announcer(environment: environment, log: log), media: media, gathering: gathering)
    factory = AccountFactory(
      layout: layout, storage: storage, secrets: SecretResolver(variables: environment, folders: folders),
      transport: transport,
      publishers: publishers, configuration: configuration, environment: environment, clock: clock, boot: clocks.boot,
      log: log)
    scheduler = Scheduler(clocks: clocks, log: log)
    callbackServer = CallbackServer(configuration.callback, clock: clock, log: log)
    publishers.views.tellWanted { [weak self] view, pictures in self?.fetch(pictures, for: view) }
    publishers.views.removeLeftovers()
    do throws(StorageError) { try storage.removeLeftovers() } catch {
      log(.warning, "what a homeline before has left half-written of a server cannot be removed: \(error)")
    }
  }

  /// Has each account fetch the pictures that came through it and that a view shows.
  private func fetch(_ pictures: [AccountName: [String]], for view: AccountName) {
    queue.async {
      for (name, urls) in pictures {
        guard let account = self.accounts[name] else { continue }
        account.queue.async { if !account.isClosed { account.mediaWanted(urls: urls, by: "view:\(view)") } }
      }
    }
  }

  /// Has the kernel asked over this socket whose connections to the callback are. To be called before the sockets are adopted.
  package func adoptDiagnosis(_ diagnosis: SocketDiagnosis) { callbackServer.adopt(diagnosis) }

  /// Has browsers come back to sockets that a service manager handed over. To be called once, before the first login.
  package func adoptCallback(_ sockets: AdoptedSockets) throws(Failure) { try callbackServer.adopt(sockets) }

  /// What the user has set, as it holds now.
  package var configuration: Configuration { settings.withLock { $0 } }

  // MARK: What can be asked

  /// Authorises an account. The completion is called once, on a queue of the account.
  /// - Returns: the login, to which pasted lines can be given.
  package func login(
    _ account: AccountSettings, _ options: LoginOptions, tell: @escaping @Sendable (LoginProgress) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) throws(Failure) -> LoginSession {
    var tell = tell
    if options.pressesAuthorise {
      guard account.credentials == .builtIn else {
        throw Failure(
          .configuration,
          "homeline presses Authorise at the sandbox only, and \(account.name) is at the provider \(account.provider)")
      }
      tell = pressingAuthorise(tell)
    }
    let account = try self.account(account)
    let session = LoginSession(
      of: account, callbackServer: callbackServer, options: options, tell: tell,
      firstRefresh: { [scheduler] in scheduler.refresh(account, completion: $0) }, completion: completion)
    session.start()
    return session
  }

  /// Goes to the authorisation page in place of a person, and says what went wrong there.
  private func pressingAuthorise(_ tell: @escaping @Sendable (LoginProgress) -> Void)
    -> @Sendable (LoginProgress) -> Void
  {
    let visitor = SandboxVisitor(client: transport)
    return { news in
      tell(news)
      guard case .address(let address, _) = news else { return }
      visitor.authorise(at: address.text) { result in
        if case .failure(let failure) = result {
          tell(.notice("Authorise could not be pressed: \(failure.message)"))
        }
      }
    }
  }

  /// Calls back when no picture is missing any more on the pages of the accounts that are open, as far as they can be had, or when
  /// this time is over. To be called by a process that would otherwise end before they are there.
  package func whenPicturesCame(
    within limit: Duration, on queue: DispatchQueue, _ completion: @escaping @Sendable () -> Void
  ) {
    let isDone = Locked(false)
    let finish: @Sendable () -> Void = {
      if isDone.setOnce() { completion() }
    }
    let all = DispatchGroup()
    for account in self.queue.sync(execute: { Array(accounts.values) }) {
      all.enter()
      account.queue.async { account.whenPicturesCame { all.leave() } }
    }
    all.notify(queue: queue, execute: finish)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(limit.nanoseconds)), execute: finish)
  }

  /// Gives the token back to the provider where that can be, and deletes it here.
  package func logout(
    _ account: AccountSettings, completion: @escaping @Sendable (Result<LogoutReport, Failure>) -> Void
  )
    throws(Failure)
  {
    let account = try self.account(account)
    account.queue.async { LogoutJob.enqueue(of: account, completion: completion) }
  }

  /// An access token that is good now, for an account with OAuth 2.0. The completion is called once, on a queue of the account.
  package func token(
    of account: AccountSettings, completion: @escaping @Sendable (Result<BearerToken, Failure>) -> Void
  ) throws(Failure) {
    let account = try self.account(account)
    account.queue.async { IssueTokenJob.enqueue(of: account, completion: completion) }
  }

  /// Asks the provider of each account now; the completion gets all reports, in the order of the accounts, on `queue`.
  /// - Parameter onlyDue: leaves out the accounts whose next refresh is planned for later, or that nobody has authorised;
  ///   of those only a deleted published file is brought back.
  /// - Parameter progress: told on queues of the accounts after each page that is followed by others.
  package func refresh(
    _ accounts: [AccountSettings], onlyDue: Bool = false, on queue: DispatchQueue,
    progress: (@Sendable (RoundProgress) -> Void)? = nil, completion: @escaping @Sendable ([RefreshReport]) -> Void
  ) {
    let all = DispatchGroup()
    let reports = Locked([RefreshReport?](repeating: nil, count: accounts.count))
    for (index, account) in accounts.enumerated() {
      all.enter()
      refresh(account, onlyDue: onlyDue, progress) { report in
        reports.withLock { $0[index] = report }
        all.leave()
      }
    }
    all.notify(queue: queue) { completion(reports.withLock { $0.compactMap { $0 } }) }
  }

  /// When the account is to be refreshed next; `nil` when nothing is planned. For whoever waits for it.
  package func nextRefresh(of account: AccountSettings) throws(Failure) -> Timestamp? {
    let account = try self.account(account)
    return account.queue.sync { account.isClosed ? nil : account.knownState.nextRefreshAt }
  }

  /// Where the account's files lie.
  package func files(of account: AccountSettings) -> AccountFiles { layout.files(of: account.name.text) }

  /// The client, for whoever plays the browser at the embedded provider.
  package var client: Client { transport }

  private func refresh(
    _ settings: AccountSettings, onlyDue: Bool, _ progress: (@Sendable (RoundProgress) -> Void)?,
    completion: @escaping @Sendable (RefreshReport?) -> Void
  ) {
    let account: Account
    do throws(Failure) { account = try self.account(settings) } catch {
      return completion(RefreshReport(account: settings.name.text, outcome: .unable(error)))
    }
    let clock = clock
    guard onlyDue else {
      guard let progress else { return scheduler.refresh(account, completion: completion) }
      account.queue.async {
        let watcher = account.watchRounds(progress)
        self.scheduler.refresh(account) { report in
          account.queue.async { account.endWatching(watcher) }
          completion(report)
        }
      }
      return
    }
    account.queue.async { [scheduler] in
      guard !account.isClosed else { return completion(nil) }
      if account.isDue(at: clock.now) { return scheduler.refresh(account, completion: completion) }
      do throws(PublishError) {
        try account.restorePublished()
        completion(nil)
      } catch {
        let failure = Failure(.inputOutput, "the timeline could not be published again: \(error)")
        completion(RefreshReport(account: settings.name.text, outcome: .unable(failure)))
      }
    }
  }

  /// Calls back, on a queue of the keeper's, when the purges have ended that an earlier owner has begun in the accounts that are open.
  package func afterInterruptedPurges(_ completion: @escaping @Sendable () -> Void) {
    let all = DispatchGroup()
    for account in queue.sync(execute: { Array(accounts.values) }) {
      all.enter()
      account.queue.async { account.afterInterruptedPurges { all.leave() } }
    }
    all.notify(queue: queue, execute: completion)
  }

  // MARK: Opening, changing and closing

  /// The account that these settings are of, opened if it was not. Waits for the account's queue.
  package func account(_ settings: AccountSettings) throws(Failure) -> Account {
    let account = try madeAccount(settings)
    let outcome = account.queue.sync { Result { () throws(Failure) in try Self.open(account) } }
    try outcome.get()
    return account
  }

  /// Opens an account that is not open, and goes on with the purges that an earlier owner has not finished. To be called on its queue.
  private static func open(_ account: Account, standingIn: Bool = false) throws(Failure) {
    let isFirst = account.isClosed
    try account.open(standingIn: standingIn)
    if isFirst { PurgeJob.finishInterrupted(of: account) }
  }

  /// The account that these settings are of, which may not be open yet.
  private func madeAccount(_ settings: AccountSettings) throws(Failure) -> Account {
    let outcome: Result<Account, Failure> = queue.sync {
      if isClosed { return .failure(Failure(.tryAgain(at: nil), "homeline ends; ask again")) }
      if let account = accounts[settings.name] { return .success(account) }
      do throws(Failure) {
        let account = try factory.account(settings)
        accounts[settings.name] = account
        return .success(account)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// Refreshes the enabled accounts from now on whenever they are due.
  /// - Parameter started: called once, on any queue, when it is known of all of them how they are.
  package func startSchedule(started: @escaping @Sendable () -> Void = {}) {
    var open: [Account] = []
    for settings in configuration.enabledAccounts {
      do throws(Failure) { open.append(try accountInService(settings)) } catch {
        log(.error, "\(settings.name): \(error)")
      }
    }
    isScheduling.withLock { $0 = true }
    scheduler.start(with: open, started: started)
  }

  /// The account, which is opened before anything else that is asked of it on its queue.
  private func accountInService(_ settings: AccountSettings) throws(Failure) -> Account {
    let account = try madeAccount(settings)
    account.queue.async { [log, publishers] in
      do throws(Failure) {
        try Self.open(account, standingIn: true)
        account.isInService = true
      } catch { if !publishers.shutdown.isUnderWay { log(.error, "\(settings.name): \(error)") } }
    }
    return account
  }

  /// Goes on with another configuration. Accounts whose server or keys have changed begin a new generation; those that are gone are
  /// closed behind the work they are at; logins of all others go on.
  package func adopt(_ configuration: Configuration) {
    callbackServer.reconfigure(configuration.callback)
    publishers.views.adopt(configuration.views)
    media.adopt(limit: configuration.media.byteLimit)
    media.retain(owners: configuration.mediaOwners)
    settings.withLock { $0 = configuration }
    queue.sync {
      factory.adopt(configuration.media)
      for (name, account) in accounts {
        guard let new = configuration[name] else {
          accounts[name] = nil
          scheduler.remove(name)
          account.retire("the account was taken out of the configuration") { [media] in
            media.forget(owner: Account.mediaOwner(name.text))
          }
          continue
        }
        if !new.isEnabled { scheduler.remove(name) }
        // Also one that is as it was: its secret is looked up anew.
        do throws(Failure) {
          let dependencies = QueueConfined(try factory.dependencies(for: new))
          account.queue.async { if !account.hasEnded { account.adopt(dependencies.value) } }
        } catch { log(.error, "\(name): \(error)") }
      }
    }
    guard isScheduling.withLock({ $0 }) else { return }
    for new in configuration.enabledAccounts {
      do throws(Failure) { scheduler.put(try accountInService(new)) } catch {
        log(.error, "\(new.name): \(error)")
      }
    }
  }

  /// Ends what is under way, saves what must not be lost, and closes. A token that a provider is giving just now is waited for,
  /// but hardly longer than `grace`; everything else is asked for again by the next owner. An account that is still at something then, such
  /// as a file on a slow disk, is left behind: what is on the disk is whole at every moment.
  /// - Parameter completion: called on a queue of the keeper's.
  package func shutDown(grace: Duration = .milliseconds(1300), completion: @escaping @Sendable () -> Void) {
    publishers.shutdown.begin()
    scheduler.stop()
    let open = queue.sync {
      isClosed = true
      return Array(accounts.values)
    }
    let all = DispatchGroup()
    for account in open {
      all.enter()
      account.retire("homeline ends") { all.leave() }
    }
    let isClosing = Locked(false)
    let close: @Sendable () -> Void = {
      guard isClosing.setOnce() else { return }
      self.close(within: Self.timeToClose)
      completion()
    }
    let ending = DispatchQueue(label: "homeline.ending")
    // A token that came but that nobody has said whose it is can be kept yet, once that question is given up.
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

  /// How long jobs whose requests were given up may take to end.
  private static let lastGrace = Duration.milliseconds(400)

  /// How long accounts may then take to close that are still open.
  private static let timeToClose = Duration.milliseconds(100)

  /// Closes every account's database and ends what serves them, before the process ends. Not to be called on an account's queue.
  package func close() { close(within: nil) }

  /// - Parameter time: whoever has not closed by then is left behind; `nil` to wait for all.
  private func close(within time: Duration?) {
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
    if let time {
      let end = DispatchTime.now() + .nanoseconds(Int(time / .nanoseconds(1)))
      if all.wait(timeout: end) == .timedOut {
        let count = left.withLock { $0 }
        log(
          .warning,
          "\(count) of \(open.count) accounts could not be closed in time and are left as after a crash; the next start takes them up"
        )
      }
    } else {
      all.wait()
    }
    publishers.views.end()
    publishers.announcer.end()
    queue.sync { factory.stop() }
    media.close()
  }
}
