import Accounts
import Dispatch
import Folders
import Platform
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Service

/// Purges of an archive that need several portions.
@Suite struct PurgeJobTests {
  private let folder = TemporaryFolder()
  private let settings = AccountSettings(
    name: AccountName("demo")!, provider: "sandbox", credentials: .builtIn, refreshInterval: .seconds(90),
    keepPosts: 250)
  private let now = Timestamp(seconds: 1_790_000_000)

  private var folders: BaseDirectories { BaseDirectories(environment: ["HOME": folder.path])! }
  private var files: AccountFiles { FileLayout(folders).files(of: "demo") }

  private func accountManager() -> AccountManager {
    AccountManager(
      configuration: Configuration(
        callback: CallbackSettings(port: 0), accounts: [settings], sandbox: SandboxSettings(port: 0)),
      layout: FileLayout(folders), storage: FileStorage(FileLayout(folders)), folders: folders, environment: [:],
      userAgent: "homeline-test",
      clocks: .all(by: WallClock { [now] in now }), log: Log { _, _ in })
  }

  /// Returns an archive whose search index has three parts.
  private func fill() throws -> AccountDatabase {
    let database = try AccountDatabase.open(files, at: now)
    let posts = (1...9000).map { number in
      let id = PostID("\(number)")
      let author = User(id: "1", screenName: "ann", name: "Ann")
      return ImportedPost(
        Post(id: id, createdAt: Timestamp(seconds: Int64(number)), author: author, text: "post"),
        key: PostKey(decimal: id)!)
    }
    _ = try database.importPosts(posts, at: now)
    return database
  }

  @Test("a refresh that is due runs between two portions of a purge")
  func between() async throws {
    try fill().close()
    let accountManager = accountManager()
    let account = try accountManager.account(settings)
    let order = Locked<[String]>([])
    let result = try await withCheckedThrowingContinuation { continuation in
      do {
        try accountManager.purge(settings, .everything) { run in
          order.withLock { $0.append("\(run.purged.posts) of \(run.progress.of)") }
          guard run.purged.posts < 5000 else { return }
          account.accountQueue.enqueue(.schedule) { context in
            order.withLock { $0.append("refresh") }
            context.end()
          }
        } completion: { result in
          order.withLock { $0.append("end") }
          continuation.resume(returning: result)
        }
      } catch { continuation.resume(throwing: error) }
    }
    #expect(try result.get().posts == 9000)
    #expect(order.withLock { $0 } == ["4095 of 9000", "refresh", "8191 of 9000", "end"])
    await accountManager.shutDown()
  }

  @Test("the next state owner finishes an interrupted purge")
  func interrupted() async throws {
    let database = try fill()
    var run = try database.begin(.before(Timestamp(seconds: 8500)), at: now)
    #expect(try database.continuePurge(&run, at: now))
    database.close()

    let accountManager = accountManager()
    let account = try accountManager.account(settings)
    await withCheckedContinuation { continuation in
      accountManager.afterInterruptedPurges { continuation.resume() }
    }
    let (kept, left) = try account.queue.sync {
      (try account.store.database.countOfPosts(), try account.store.database.unfinishedPurges().count)
    }
    #expect(kept == 501 && left == 0)
    await accountManager.shutDown()
  }
}
