import HomelineOAuth
import Accounts
import Bytes
import Dispatch
import Folders
import Formats
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// An account manager with an X account whose endpoints are those of the test's own sandbox.
final class XHome: Sendable {
  let folder = TemporaryFolder()
  /// The time when each test starts. It is always the same, because the available posts and the rest of the day depend on it.
  let now = Locked(Timestamp(seconds: 1_790_000_000))
  let sandbox: SandboxServer<TwitterSandbox>
  /// The sandbox's port, which stays reserved after the sandbox has stopped.
  private let port: ReservedPort
  let account: AccountSettings
  let layout: FileLayout
  let storage: any StorageProvider
  let folders: BaseDirectories

  init(
    keepPosts: Int = 50, firstFill: Int? = nil, budget: Budget = Budget(), policy: SandboxPolicy = SandboxPolicy()
  ) throws {
    folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    layout = FileLayout(folders)
    storage = StoreChoice.standard.provider(layout)
    let clock = WallClock { [now] in now.withLock { $0 } }
    port = try ReservedPort()
    let sandbox = try SandboxServer(
      stateFolder: "\(folder.path)/sandbox", policy: policy, port: port.port, clock: clock)
    self.sandbox = sandbox
    func address(_ path: String) throws -> RequestURL { try RequestURL(sandbox.baseURL + path) }
    account = AccountSettings(
      name: AccountName("x")!, provider: "x",
      credentials: .oauth1(
        consumerKey: TwitterSandbox.consumer.identifier, consumerSecret: .literal(TwitterSandbox.consumer.secret)),
      refreshInterval: .seconds(900), keepPosts: keepPosts, firstFillPosts: firstFill ?? keepPosts,
      budget: budget,
      endpoints: [
        "request_token": try address("/oauth/request_token"), "authorize": try address("/oauth/authorize"),
        "access_token": try address("/oauth/access_token"), "users_me": try address("/2/users/me"),
        "home_timeline": try address("/2/users/{id}/timelines/reverse_chronological"),
        "invalidate_token": try address("/1.1/oauth/invalidate_token.json"),
      ])
  }

  deinit { sandbox.stop() }

  func accountManager() -> AccountManager {
    AccountManager(
      configuration: Configuration(callback: CallbackSettings(port: 0), accounts: [account]), layout: layout,
      storage: storage,
      folders: folders, environment: [:], userAgent: "homeline-test",
      clocks: .all(by: WallClock { [now] in now.withLock { $0 } }), log: .silent)
  }

  func login(_ accountManager: AccountManager) async -> Result<Void, OperationError> {
    await accountManager.logIn(account)
  }

  func refresh(_ accountManager: AccountManager) async -> RefreshReport? {
    await accountManager.refreshed([account]).first
  }

  func advance(_ seconds: Int64) { now.withLock { $0 = $0 + .seconds(seconds) } }

  var files: AccountFiles { layout.files(of: "x") }

  /// Returns the account's costs according to its own record.
  func spent() throws -> SpendingDay {
    let database = try #require(try storage.openForReading(.home(of: account.name), isSnapshot: false))
    defer { database.close() }
    return try database.spending().today(at: now.withLock { $0 })
  }

  /// The cost of the delivered posts and users at the provider's prices.
  var charged: Int64 {
    Int64(sandbox.delivered.posts) * Prices.x.microUSDPerPost + Int64(sandbox.delivered.users)
      * Prices.x.microUSDPerUser
  }

  func published() throws -> TimelineFile { try TimelineFile.read(try File.read(files.timeline, limit: 1 << 24)) }
}
