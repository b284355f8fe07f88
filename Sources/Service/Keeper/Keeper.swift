package import CivilTime
package import Dispatch
internal import HomelineOAuth
package import Platform
internal import Providers
package import Settings
package import Store
package import Transport

/// Looks after the accounts on behalf of whoever owns the state: opens each when it is first needed, and does with it what is asked.
///
/// To be made by the holder of the owner's lock only.
// Sendable because everything that changes in it is touched on `queue` only.
package final class Keeper: @unchecked Sendable {
  private let layout: FileLayout
  private let transport: Client
  private let desk: CallbackDesk
  private let clock: WallClock
  private let log: Log
  /// Nothing waits on it but the opening of files; the accounts' own queues lie below.
  private let queue = DispatchQueue(label: "homeline.keeper")
  private let factory: AccountFactory
  private var settings: Configuration
  private var accounts: [AccountName: Account] = [:]

  /// - Parameters:
  ///   - environment: for secrets, and for what libcurl is told of certificates and proxies.
  ///   - log: told what the user should know besides the outcome of what was asked; called on any queue.
  package init(
    configuration: Configuration, layout: FileLayout, folders: BaseDirectories, environment: [String: String],
    userAgent: String, clock: WallClock = .system, log: Log
  ) {
    settings = configuration
    self.layout = layout
    self.clock = clock
    self.log = log
    transport = Client(policy: ClientPolicy(userAgent: userAgent, environment: environment))
    factory = AccountFactory(
      layout: layout, secrets: SecretResolver(variables: environment, folders: folders), transport: transport,
      clock: clock, log: log)
    desk = CallbackDesk(configuration.callback, clock: clock)
  }

  /// What the user has set, as it holds now.
  package var configuration: Configuration { queue.sync { settings } }

  // MARK: What can be asked

  /// Authorises an account. The completion is called once, on a queue of the account.
  /// - Returns: the login, to which pasted lines can be given.
  package func login(
    _ account: AccountSettings, _ options: LoginOptions, tell: @escaping @Sendable (LoginNews) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) throws(Failure) -> LoginSession {
    let session = LoginSession(
      of: try self.account(account), desk: desk, options: options, tell: tell, completion: completion)
    session.start()
    return session
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

  /// Asks the provider of each account now; the completion gets all reports, in the order of the accounts, on `queue`.
  /// - Parameter onlyDue: leaves out the accounts whose next refresh is planned for later, or that nobody has authorised;
  ///   of those only a deleted published file is brought back.
  package func refresh(
    _ accounts: [AccountSettings], onlyDue: Bool = false, on queue: DispatchQueue,
    completion: @escaping @Sendable ([RefreshReport]) -> Void
  ) {
    let all = DispatchGroup()
    let reports = Locked([RefreshReport?](repeating: nil, count: accounts.count))
    for (index, account) in accounts.enumerated() {
      all.enter()
      refresh(account, onlyDue: onlyDue) { report in
        reports.withLock { $0[index] = report }
        all.leave()
      }
    }
    all.notify(queue: queue) { completion(reports.withLock { $0.compactMap { $0 } }) }
  }

  /// When the account is to be refreshed next; `nil` when nothing is planned. For whoever waits for it.
  package func nextRefresh(of account: AccountSettings) throws(Failure) -> Timestamp? {
    let account = try self.account(account)
    return account.queue.sync { try? account.database.state().nextRefreshAt }
  }

  /// Where the account's files lie.
  package func files(of account: AccountSettings) -> AccountFiles { layout.files(of: account.name.text) }

  /// The client, for whoever plays the browser at the embedded provider.
  package var client: Client { transport }

  private func refresh(
    _ settings: AccountSettings, onlyDue: Bool, completion: @escaping @Sendable (RefreshReport?) -> Void
  ) {
    let account: Account
    do throws(Failure) { account = try self.account(settings) } catch {
      return completion(RefreshReport(account: settings.name.text, outcome: .unable(error)))
    }
    let clock = clock
    account.queue.async {
      guard onlyDue else { return RefreshRound.begin(of: account, as: .userRefresh, completion: completion) }
      if account.isDue(at: clock.now) { return RefreshRound.begin(of: account, as: .schedule, completion: completion) }
      do throws(PublishError) {
        try account.restorePublished()
        completion(nil)
      } catch {
        let failure = Failure(.inputOutput, "the timeline could not be published again: \(error)")
        completion(RefreshReport(account: settings.name.text, outcome: .unable(failure)))
      }
    }
  }

  // MARK: Opening, changing and closing

  /// The account that these settings are of, opened if it was not.
  package func account(_ settings: AccountSettings) throws(Failure) -> Account {
    let outcome: Result<Account, Failure> = queue.sync {
      if let account = accounts[settings.name] { return .success(account) }
      do throws(Failure) {
        let account = try factory.open(settings)
        accounts[settings.name] = account
        return .success(account)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// Goes on with another configuration. Accounts whose server or keys have changed begin a new generation; those that are gone are
  /// closed behind the work they are at; logins of all others go on.
  package func adopt(_ configuration: Configuration) {
    queue.sync {
      let former = settings
      settings = configuration
      for (name, account) in accounts {
        guard let new = configuration[name] else {
          accounts[name] = nil
          account.retire()
          continue
        }
        guard new != former[name] else { continue }
        do throws(Failure) {
          let means = Confined(try factory.means(for: new))
          account.queue.async { account.adopt(means.value) }
        } catch { log(.error, "\(name): \(error)") }
      }
    }
  }

  /// Closes every account's database and ends what serves them, before the process ends. Not to be called on an account's queue.
  package func close() {
    transport.stop()
    let open = queue.sync {
      defer { accounts = [:] }
      return Array(accounts.values)
    }
    for account in open { account.close() }
    queue.sync { factory.stop() }
  }
}
