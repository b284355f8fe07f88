import Accounts
import Dispatch
import Folders
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Service
import Settings
import StorageSQLite
import TestSupport
import Time
import Timeline

/// An account manager with an account whose page shows pictures, a separate sandbox, and a clock that the test sets.
final class PictureHome: Sendable {
  let folder = TemporaryFolder()
  /// The time when each test starts. It is always the same, because the available posts and the sizes of their pictures depend on it.
  let now = Locked(Timestamp(seconds: 1_790_000_000))
  let sandbox: SandboxServer<TwitterSandbox>
  let account: AccountSettings
  let layout: FileLayout
  private let folders: BaseDirectories
  private let megabytes: Int

  init(megabytes: Int = 200, posts: Int = 30) throws {
    let folders = BaseDirectories(environment: ["HOME": folder.path])!
    self.folders = folders
    layout = FileLayout(folders)
    let clock = WallClock { [now] in now.withLock { $0 } }
    sandbox = try SandboxServer(stateFolder: "\(folder.path)/sandbox", clock: clock)
    var account = try AccountSettings.twitter("bird", at: sandbox.baseURL)
    account.keepPosts = posts
    account.publish = [.html]
    self.account = account
    self.megabytes = megabytes
  }

  deinit { sandbox.stop() }

  func accountManager() -> AccountManager {
    AccountManager(
      configuration: Configuration(
        callback: CallbackSettings(port: 0), accounts: [account], media: MediaSettings(megabytes: megabytes)),
      layout: layout, storage: FileStorage(layout), folders: folders, environment: [:], userAgent: "homeline-test",
      clocks: .all(by: WallClock { [now] in now.withLock { $0 } }), gathering: .zero, log: .silent)
  }

  func advance(_ seconds: Int64) { now.withLock { $0 = $0 + .seconds(seconds) } }

  /// Waits until the account has nothing left to do.
  func settle(_ accountManager: AccountManager) async throws {
    let account = try accountManager.account(account)
    await withCheckedContinuation { done in account.queue.async { Self.settle(account) { done.resume() } } }
  }

  private static func settle(_ account: Account, _ done: @escaping () -> Void) {
    account.accountQueue.whenIdle {
      guard account.isRendering else { return done() }
      account.whenRendered { _ in settle(account, done) }
    }
  }

  /// Returns the pictures that the page shows, by their paths below the cache folder.
  func named() throws -> Set<String> {
    let path = layout.files(of: "bird").published(as: .html)
    let page = String(decoding: try File.read(path, limit: 1 << 24), as: UTF8.self)
    return Set(page.ranges(of: "../_media/").map { "_media/" + page[$0.upperBound...].prefix { $0 != "\"" } })
  }

  /// Returns the stored pictures, by the paths that pages use for them.
  func kept() throws -> [String: [UInt8]] {
    guard File.exists(layout.mediaFolder) else { return [:] }
    var kept: [String: [UInt8]] = [:]
    for folder in try Folder.names(in: layout.mediaFolder) where folder.utf8.count == 2 {
      for name in try Folder.names(in: "\(layout.mediaFolder)/\(folder)") {
        kept["_media/\(folder)/\(name)"] = try File.read("\(layout.mediaFolder)/\(folder)/\(name)", limit: 1 << 24)
      }
    }
    return kept
  }

  /// The statuses of the responses to requests for pictures.
  var responses: [Int] { sandbox.withPictures { $0.records.map { $0.status?.code ?? 0 } } }
}
