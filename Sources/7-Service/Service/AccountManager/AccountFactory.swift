internal import Accounts
internal import Bytes
internal import Dispatch
internal import Folders
internal import HTTPClient
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Secrets
internal import Settings
internal import Storage
internal import Time

/// Creates accounts and their dependencies from settings, and opens the sandbox's port for the first account that uses it. Use only on
/// the account manager's queue.
final class AccountFactory {
  private let layout: FileLayout
  private let storage: any StorageProvider
  private let secrets: SecretResolver
  private let transport: Client
  private let shared: SharedServices
  private let clock: WallClock
  private let boot: @Sendable () -> BootInstant
  private let log: Log
  private let environment: [String: String]
  /// The sandbox's port; 0 means a free port, and `nil` the previous run's port.
  private let sandboxPort: UInt16?
  /// The sandbox, once an account uses it.
  private var sandbox: SandboxProcess?
  /// The media settings for the next dependencies to create.
  private var media: MediaSettings
  private var workers = WorkerQueues.accountQueues()
  private var secretQueues = WorkerQueues.secrets()
  /// The uploads in progress, for `homeline status`.
  let uploads = Locked<[AccountName: UploadProgress]>([:])

  init(
    layout: FileLayout, storage: any StorageProvider, secrets: SecretResolver, transport: Client,
    shared: SharedServices,
    configuration: Configuration,
    environment: [String: String],
    clock: WallClock, boot: @escaping @Sendable () -> BootInstant, log: Log
  ) {
    media = configuration.media
    sandboxPort = configuration.sandbox.port
    self.environment = environment
    self.shared = shared
    self.layout = layout
    self.storage = storage
    self.secrets = secrets
    self.transport = transport
    self.clock = clock
    self.boot = boot
    self.log = log
  }

  /// Creates an account whose database is not open yet; see `Account.open(allowsTemporaryDatabase:)`.
  func account(_ settings: AccountSettings) throws(OperationError) -> Account {
    let account = try Account(
      dependencies(for: settings), layout: layout, storage: storage, shared: shared, on: workers.next(),
      clock: clock, boot: boot, log: log
    ) { [storage, uploads] account in
      OutboxSender(of: account, in: storage.outbox(of: settings.name)) { progress in
        uploads.withLock { $0[settings.name] = progress }
      }
    }
    if let store = shared.media {
      account.pictures.fetcher = MediaRound(of: account, from: store) { [unowned account] in account.republish() }
    }
    return account
  }

  func dependencies(for settings: AccountSettings) throws(OperationError) -> AccountDependencies {
    AccountDependencies(
      settings: settings, provider: try provider(of: settings), keys: keys(of: settings), transport: transport,
      privateHosts: Set(media.privateHosts))
  }

  func adopt(_ media: MediaSettings) { self.media = media }

  func stop() {
    sandbox?.stop()
    sandbox = nil
  }

  private func provider(of account: AccountSettings) throws(OperationError) -> any Provider {
    if let drive = account.drive, !drive.isServed, let objection = drive.feedObjection {
      throw OperationError(
        .configuration, "\(account.name) is a drive without a timeline, which only homeline drive can use: \(objection)"
      )
    }
    let place = try place(of: account)
    do throws(RequestURLError) {
      if let provider = try ProviderRegistry.named(account.provider, at: place) { return provider }
    } catch { throw OperationError(.configuration, "\(error)") }
    throw OperationError(.configuration, "there is no provider \(account.provider)")
  }

  private func place(of account: AccountSettings) throws(OperationError) -> ProviderLocation {
    account.credentials == .builtIn ? try sandboxPlace(of: account) : ProviderLocation(of: account)
  }

  /// Returns the address and protocol of the account's simulated provider.
  private func sandboxPlace(of account: AccountSettings) throws(OperationError) -> ProviderLocation {
    let isOAuth1 = account.provider == "sandbox"
    let sandbox: SandboxProcess
    if let running = self.sandbox {
      sandbox = running
    } else {
      sandbox = try openSandbox(isOAuth1 ? "twitter" : account.provider)
      self.sandbox = sandbox
    }
    do throws(RequestURLError) {
      return ProviderLocation(isOAuth1 ? .oauth1 : .oauth2, at: try RequestURL(sandbox.baseURL))
    } catch { throw OperationError(.bug, "\(error)") }
  }

  private func openSandbox(_ kind: String) throws(OperationError) -> SandboxProcess {
    let program: String
    do throws(SystemError) {
      let own = try ProcessEnvironment.programPath()
      program = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/\(SandboxProcess.name)"
    } catch { throw OperationError(.cannotCreate, "the sandbox could not be started: \(error)") }
    return try SandboxProcess(
      kind, port: sandboxPort, stateFolder: layout.sandboxFolder, program: program, environment: environment, log: log)
  }

  private func keys(of account: AccountSettings) -> ClientKeys {
    switch account.credentials {
    case .builtIn: ClientKeys { () throws(OperationError) in try SandboxApplication.keys(of: account) }
    case .oauth1(let key, let source):
      ClientKeys(apart: queue(for: source)) { [secrets] () throws(OperationError) in
        do throws(SecretError) {
          return .oauth1(ClientCredentials(identifier: key, secret: try secrets.secret(from: source)))
        } catch { throw OperationError(.configuration, "could not get the consumer secret: \(error)") }
      }
    case .oauth2(let id, let source):
      ClientKeys(apart: queue(for: source)) { [secrets] () throws(OperationError) in
        do throws(SecretError) {
          return .oauth2(
            id: id, secret: try source.map { source throws(SecretError) in try secrets.secret(from: source) })
        } catch { throw OperationError(.configuration, "could not get the client secret: \(error)") }
      }
    case .selfRegistered: ClientKeys { .selfRegistered }
    }
  }

  /// Returns the queue that waits for a secret; `nil` if the secret is read immediately.
  private func queue(for source: SecretSource?) -> DispatchQueue? {
    switch source {
    case .command, .keyring: secretQueues.next()
    case .literal, .file, .credential, nil: nil
    }
  }
}
