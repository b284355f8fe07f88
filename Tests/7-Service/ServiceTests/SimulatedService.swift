import HomelineOAuth
import Accounts
import Bytes
import Dispatch
import Folders
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time

@testable import Sandbox

/// A service with real account queues, files, client and provider, but with a clock that the test moves.
final class SimulatedService: OnSimulatedTime {
  let folder = TemporaryFolder()
  let time = SimulatedTime()
  let accountManager: AccountManager
  /// Creates a new account manager with the same files, as after a restart of the program. Shut the previous one down
  /// first.
  let nextAccountManager: @Sendable () -> AccountManager
  let sandbox: SandboxServer<TwitterSandbox>
  let layout: FileLayout
  let storage: any StorageProvider
  let accounts: [AccountSettings]
  private let records: Locked<[(account: String, at: Timestamp, status: Int)]>
  let lines = Locked<[String]>([])

  /// - Parameter settings: creates settings from an account's name and the provider's address.
  init(
    accounts count: Int, policy: SandboxPolicy, keepPosts: Int? = 40, in store: StoreChoice = .standard
  ) throws {
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    layout = FileLayout(folders)
    storage = store.provider(layout)
    let records = Locked<[(account: String, at: Timestamp, status: Int)]>([])
    self.records = records
    let time = time
    sandbox = try SandboxServer(stateFolder: "\(folder.path)/provider", policy: policy, clock: time.wall)
    let address = sandbox.baseURL
    let endpoints = [
      "request_token": TwitterRoute.requestToken, "authorize": .authorize, "access_token": .accessToken,
      "verify_credentials": .verifyCredentials, "home_timeline": .homeTimeline, "invalidate_token": .invalidateToken,
    ]
    let secret = "\(folder.path)/secret"
    try AtomicFile.write(
      TwitterSandbox.consumer.secret.withExposed { $0 }, to: secret, .replaced)
    accounts = try (0..<count).map { number in
      AccountSettings(
        name: AccountName("account-\(number)")!, provider: "twitter",
        credentials: .oauth1(
          consumerKey: TwitterSandbox.consumer.identifier, consumerSecret: .file(path: secret)),
        refreshInterval: .seconds(90), keepPosts: keepPosts,
        endpoints: try endpoints.mapValues { try RequestURL(address + $0.path) })
    }
    let lines = lines
    let (accounts, layout, storage) = (accounts, layout, storage)
    let log = Log { level, line in
      lines.withLock { $0.append(line) }
      // A log line has the form `account-3: GET http://…/home_timeline.json: 200, 1234 bytes`.
      guard level == .debug, line.contains("home_timeline"),
        let status = Int(line.split(separator: " ").dropLast(2).last?.dropLast() ?? "")
      else { return }
      let account = String(line.prefix { $0 != ":" })
      records.withLock { $0.append((account, time.now, status)) }
    }
    nextAccountManager = {
      AccountManager(
        configuration: Configuration(callback: CallbackSettings(port: 0), accounts: accounts), layout: layout,
        storage: storage,
        folders: folders, environment: [:], userAgent: "homeline-test", clocks: time.clocks, log: log)
    }
    accountManager = nextAccountManager()
  }

  /// The timeline requests so far, as the account queues have logged them.
  var requests: [(account: String, at: Timestamp, status: Int)] { records.withLock { $0 } }

  func forgetRequests() { records.withLock { $0 = [] } }

  func logIn() async throws {
    for account in accounts { try await accountManager.logIn(account).get() }
  }
}

extension SimulatedService {
  /// Refreshes the first account at the user's request.
  func refresh() async -> RefreshReport.Outcome {
    await accountManager.refreshed([accounts[0]])[0].outcome
  }

  func close() async {
    await withCheckedContinuation { done in accountManager.shutDown { done.resume() } }
    sandbox.stop()
  }
}
