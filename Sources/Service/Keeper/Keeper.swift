package import CivilTime
package import Dispatch
internal import HomelineOAuth
package import Platform
internal import Providers
internal import Sandbox
package import Settings
package import Store
package import Transport

/// Looks after the accounts on behalf of whoever owns the state: opens each when it is first needed, and does with it what is asked.
///
/// To be made by the holder of the owner's lock only.
package final class Keeper: Sendable {
  private let configuration: Configuration
  private let layout: FileLayout
  private let secrets: SecretResolver
  private let transport: Client
  private let desk: CallbackDesk
  private let clock: WallClock
  private let warn: @Sendable (String) -> Void
  private let trace: @Sendable (String) -> Void
  private let open = Locked(OpenThings())

  private struct OpenThings {
    var lanes: [AccountName: AccountLane] = [:]
    var sandbox: SandboxServer?
  }

  /// - Parameters:
  ///   - environment: for secrets, and for what libcurl is told of certificates and proxies.
  ///   - warn: told what the user should know besides the outcome of what was asked; called on any queue.
  ///   - trace: told of each request to a provider, nothing secret; for who wants to know more.
  package init(
    configuration: Configuration, layout: FileLayout, folders: BaseDirectories, environment: [String: String],
    userAgent: String,
    clock: WallClock = .system, warn: @escaping @Sendable (String) -> Void,
    trace: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.layout = layout
    self.clock = clock
    self.warn = warn
    self.trace = trace
    secrets = SecretResolver(variables: environment, folders: folders)
    transport = Client(policy: ClientPolicy(userAgent: userAgent, environment: environment))
    desk = CallbackDesk(configuration.callback, clock: clock)
  }

  // MARK: What can be asked

  /// Authorises an account. The completion is called once, on a queue of the account.
  /// - Returns: the login, to which pasted lines can be given.
  package func login(
    _ account: AccountSettings, _ options: LoginOptions, tell: @escaping @Sendable (LoginNews) -> Void,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) throws(Failure) -> LoginSession {
    let session = LoginSession(
      on: try lane(of: account), desk: desk, options: options, tell: tell, completion: completion)
    session.start()
    return session
  }

  /// Gives the token back to the provider where that can be, and deletes it here.
  package func logout(
    _ account: AccountSettings, completion: @escaping @Sendable (Result<LogoutReport, Failure>) -> Void
  )
    throws(Failure)
  {
    let lane = try lane(of: account)
    lane.queue.async { LogoutJob.enqueue(on: lane, completion: completion) }
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
    let lane = try lane(of: account)
    return lane.queue.sync { try? lane.database.state().nextRefreshAt }
  }

  /// Where the account's files lie.
  package func files(of account: AccountSettings) -> AccountFiles { layout.files(of: account.name.text) }

  /// Closes every account's database and ends what serves them, before the process ends. Not to be called on an account's queue.
  package func close() {
    transport.stop()
    let (lanes, sandbox) = open.withLock { open in
      defer { open = OpenThings() }
      return (Array(open.lanes.values), open.sandbox)
    }
    for lane in lanes { lane.close() }
    sandbox?.stop()
  }

  /// The client, for whoever plays the browser at the embedded provider.
  package var client: Client { transport }

  private func refresh(
    _ account: AccountSettings, onlyDue: Bool, completion: @escaping @Sendable (RefreshReport?) -> Void
  ) {
    let lane: AccountLane
    do throws(Failure) { lane = try self.lane(of: account) } catch {
      return completion(RefreshReport(account: account.name.text, outcome: .unable(error)))
    }
    let clock = clock
    lane.queue.async {
      guard onlyDue, !lane.isDue(at: clock.now) else { return RefreshJob.enqueue(on: lane, completion: completion) }
      do throws(PublishError) {
        try lane.restorePublished()
        completion(nil)
      } catch {
        let failure = Failure(.inputOutput, "the timeline could not be published again: \(error)")
        completion(RefreshReport(account: account.name.text, outcome: .unable(failure)))
      }
    }
  }

  // MARK: Opening

  private func lane(of account: AccountSettings) throws(Failure) -> AccountLane {
    try open.withLock { (open) throws(Failure) in
      if let lane = open.lanes[account.name] { return lane }
      let lane = AccountLane(
        settings: account, provider: try provider(of: account, &open), keys: keys(of: account),
        files: layout.files(of: account.name.text), transport: transport, clock: clock, warn: warn,
        trace: trace)
      try lane.open()
      open.lanes[account.name] = lane
      return lane
    }
  }

  private func provider(of account: AccountSettings, _ open: inout OpenThings) throws(Failure) -> any Provider {
    var overrides: [Endpoints.Name: RequestURL] = [:]
    for (name, url) in account.endpoints {
      if let name = Endpoints.Name(rawValue: name) { overrides[name] = url }
    }
    let address = account.credentials == .builtIn ? try sandboxAddress(&open) : nil
    do throws(RequestURLError) {
      let base: RequestURL? = if let address { try RequestURL(address) } else { nil }
      if let provider = try ProviderRegistry.named(account.provider, at: base, overriding: overrides) {
        return provider
      }
    } catch { throw Failure(.configuration, "\(error)") }
    throw Failure(.configuration, "there is no provider \(account.provider)")
  }

  /// The embedded provider is started by the first account that uses it.
  private func sandboxAddress(_ open: inout OpenThings) throws(Failure) -> String {
    if let sandbox = open.sandbox { return sandbox.baseURL }
    do throws(SandboxError) {
      let sandbox = try SandboxServer(stateFolder: layout.sandboxFolder, clock: clock)
      open.sandbox = sandbox
      return sandbox.baseURL
    } catch { throw Failure(.cannotCreate, "the sandbox could not be started: \(error)") }
  }

  private func keys(of account: AccountSettings) -> Result<ClientCredentials, Failure> {
    switch account.credentials {
    case .builtIn: return .success(Sandbox.SandboxProvider.consumer)
    case .oauth1(let key, let source):
      do throws(SecretError) {
        return .success(ClientCredentials(identifier: key, secret: try secrets.secret(from: source)))
      } catch { return .failure(Failure(.configuration, "the consumer secret cannot be had: \(error)")) }
    }
  }
}
