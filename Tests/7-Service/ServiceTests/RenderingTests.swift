import Bytes
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

@testable import Accounts
@testable import Service

/// Rendering of published formats on shared queues, while a test occupies these queues as a slow disk would.
@Suite struct RenderingTests {
  private let folder = TemporaryFolder()
  private let now = Timestamp(seconds: 1_790_000_000)
  private let bird = RenderingTests.settings("bird")
  private let fish = RenderingTests.settings("fish")

  private static func settings(_ name: String) -> AccountSettings {
    var settings = AccountSettings(
      name: AccountName(name)!, provider: "twitter",
      credentials: .oauth1(consumerKey: "key", consumerSecret: .literal(Secret("secret"))), keepPosts: 100)
    settings.publish = [.jsonLines, .text, .html]
    return settings
  }

  private var layout: FileLayout { FileLayout(BaseDirectories(environment: ["HOME": folder.path])!) }
  private var files: AccountFiles { layout.files(of: "bird") }

  private func configuration(_ accounts: [AccountSettings]) -> Configuration {
    Configuration(callback: CallbackSettings(port: 0), accounts: accounts)
  }

  /// Returns an account manager whose accounts have a user and 20 posts.
  /// - Parameter first: the settings of the first account; nil for `bird`.
  private func accountManager(with first: AccountSettings? = nil) throws -> AccountManager {
    for account in [bird, fish] {
      let database = try AccountDatabase.open(layout.files(of: account.name.text), at: now)
      try database.insert(
        Page(entries: (1...20).map(Self.entry), older: nil), as: .head, at: now
      ) {
        $0.identity = AccountIdentity(
          server: "https://api.twitter.com", user: User(id: "1", screenName: "ann", name: "Ann"))
        $0[.home].refreshedAt = now
      }
      database.close()
    }
    return AccountManager(
      configuration: configuration([first ?? bird, fish]), layout: layout, storage: FileStorage(layout),
      folders: BaseDirectories(environment: ["HOME": folder.path])!, environment: [:], userAgent: "homeline-test",
      clocks: .all(by: WallClock { [now] in now }), log: .silent)
  }

  private static func entry(_ number: Int) -> Page.Entry {
    let id = PostID("\(number)")
    let author = User(id: "1", screenName: "ann", name: "Ann")
    return Page.Entry(
      post: Post(id: id, createdAt: Timestamp(seconds: Int64(number)), author: author, text: "text \(number)."),
      key: PostKey(decimal: id)!)
  }

  /// Opens an account, and waits until it has published the files that an earlier process may have left incomplete.
  private func opened(_ settings: AccountSettings, by accountManager: AccountManager) async throws -> Account {
    let account = try accountManager.account(settings)
    await withCheckedContinuation { done in
      account.queue.async { account.whenRendered { _ in done.resume() } }
    }
    return account
  }

  /// Stores and publishes a post.
  /// - Returns: whether the files have been written, and the failure to do so.
  private func publish(_ number: Int, of account: Account) -> Locked<(isDone: Bool, failure: OperationError?)> {
    let outcome = Locked<(isDone: Bool, failure: OperationError?)>((false, nil))
    account.queue.sync {
      account.storeOwnPost(Self.entry(number))
      account.publish(gathers: false) { failure in outcome.withLock { $0 = (true, failure) } }
    }
    return outcome
  }

  private func text(_ file: String) throws -> String {
    String(decoding: try File.read(file, limit: 1 << 24), as: UTF8.self)
  }

  private func contains(_ number: Int, _ file: String) throws -> Bool { try text(file).contains("text \(number).") }

  @Test("while formats wait for a queue, the account's queue works, and home_timeline.json is current")
  func free() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    let outcome = publish(21, of: account)
    #expect(account.queue.sync { !outcome.withLock { $0.isDone } && account.isRendering })
    #expect(try contains(21, files.timeline) && !contains(21, files.published(as: .text)))
    queues.release()
    #expect(try await eventually { outcome.withLock { $0.isDone } })
    for format in bird.publish { #expect(try contains(21, files.published(as: format)), "\(format)") }
    await accountManager.shutDown()
  }

  @Test("a rendering that does not end leaves the other queues to other accounts")
  func slow() async throws {
    let accountManager = try accountManager()
    let (slow, other) = (try await opened(bird, by: accountManager), try await opened(fish, by: accountManager))
    let queue = OccupiedQueues(slow, count: 3)
    let outcome = publish(21, of: other)
    #expect(try await eventually { outcome.withLock { $0.isDone } })
    #expect(try contains(21, layout.files(of: "fish").published(as: .html)))
    queue.release()
    await accountManager.shutDown()
  }

  @Test("after many fast publications, all formats contain the newest posts")
  func order() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let outcomes = (21...80).map { publish($0, of: account) }
    #expect(try await eventually { outcomes.allSatisfy { $0.withLock { $0.isDone } } })
    #expect(outcomes.allSatisfy { $0.withLock { $0.failure } == nil })
    let lines = try text(files.published(as: .jsonLines)).split(separator: "\n")
    #expect(lines.count == 80 && lines.first?.contains("text 80.") == true)
    #expect(try lines.allSatisfy { try text(files.timeline).contains($0) })
    #expect(try contains(80, files.published(as: .html)) && contains(80, files.published(as: .text)))
    await accountManager.shutDown()
  }

  @Test("publications that wait for a queue share one rendering")
  func shared() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    let renderings = Locked(0)
    account.queue.sync {
      let onEnd = account.home.publisher.renderer.onEnd
      account.home.publisher.renderer.onEnd = { outcome, isLast in
        renderings.withLock { $0 += 1 }
        return onEnd(outcome, isLast)
      }
    }
    let outcomes = (21...40).map { publish($0, of: account) }
    queues.release()
    #expect(try await eventually { outcomes.allSatisfy { $0.withLock { $0.isDone } } })
    #expect(renderings.withLock { $0 } == 1)
    #expect(try contains(40, files.published(as: .text)))
    await accountManager.shutDown()
  }

  @Test("a purge ends after no published file contains the purged posts")
  func purge() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    _ = publish(21, of: account)
    let purged = Locked<Result<Purged, OperationError>?>(nil)
    try accountManager.purge(bird, .post(PostID("7")), tell: { _ in }) { result in purged.withLock { $0 = result } }
    #expect(try await eventually { try !contains(7, files.timeline) })
    #expect(account.queue.sync { purged.withLock { $0 } == nil })
    #expect(try contains(7, files.published(as: .text)))
    queues.release()
    #expect(try await eventually { purged.withLock { $0 } != nil })
    #expect(try purged.withLock { try $0?.get().posts } == 1)
    for format in bird.publish { #expect(try !contains(7, files.published(as: format)), "\(format)") }
    await accountManager.shutDown()
  }

  @Test("no file of a removed format reappears, and the change is complete only then")
  func removedFormat() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    _ = publish(21, of: account)
    var changed = bird
    changed.publish = [.jsonLines]
    let isAdopted = Locked(false)
    accountManager.adopt(configuration([changed, fish])) { isAdopted.withLock { $0 = true } }
    #expect(account.queue.sync { account.settings.publish == [.jsonLines] })
    #expect(!isAdopted.withLock { $0 })
    queues.release()
    #expect(try await eventually { isAdopted.withLock { $0 } })
    #expect(!File.exists(files.published(as: .text)) && !File.exists(files.published(as: .html)))
    #expect(try contains(21, files.published(as: .jsonLines)))
    await accountManager.shutDown()
  }

  @Test("an account closes after its files were written, and marks them as complete", arguments: [true, false])
  func close(isRemoved: Bool) async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    _ = publish(21, of: account)
    let isClosed = Locked(false)
    let note: @Sendable () -> Void = { isClosed.withLock { $0 = true } }
    if isRemoved {
      account.retire("the account was removed", note)
    } else {
      accountManager.shutDown(grace: .seconds(60), completion: note)
    }
    #expect(account.queue.sync { account.isRendering && !account.isClosed } && !isClosed.withLock { $0 })
    queues.release()
    #expect(try await eventually { isClosed.withLock { $0 } })
    #expect(try contains(21, files.published(as: .html)))
    #expect(CleanShutdownMarker(files).remove())
    if isRemoved { await accountManager.shutDown() }
  }

  @Test("an account has published, and closes, only after the files of all its timelines were written")
  func timelines() async throws {
    var settings = bird
    let name = try TimelineName("mentions")
    settings.ownTimelines = [.home, name].map(settings.inherited)
    let accountManager = try accountManager(with: settings)
    // Otherwise, both timelines would be published again.
    CleanShutdownMarker(files).write()
    let account = try accountManager.account(settings)
    await withCheckedContinuation { done in
      account.queue.async {
        account.storeOwnPost(Self.entry(21))
        account.whenRendered { _ in done.resume() }
      }
    }
    let queues = OccupiedQueues(account)
    let mentions = try #require(account.timelines[name]).publisher
    let (isPublished, isClosed) = (Locked(false), Locked(false))
    account.queue.sync {
      mentions.republish()
      account.publish(gathers: false) { _ in isPublished.withLock { $0 = true } }
    }
    account.retire("the account was removed") { isClosed.withLock { $0 = true } }
    #expect(account.queue.sync { mentions.isRendering && !account.home.publisher.isRendering && !account.isClosed })
    #expect(!isPublished.withLock { $0 } && !isClosed.withLock { $0 })
    queues.release()
    #expect(try await eventually { isClosed.withLock { $0 } })
    #expect(isPublished.withLock { $0 } && CleanShutdownMarker(files).remove())
    await accountManager.shutDown()
  }

  @Test("an account that is closed before its files were written leaves them to the next process")
  func forced() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    _ = publish(21, of: account)
    account.queue.sync { account.close() }
    queues.release()
    #expect(try await eventually { account.queue.sync { !account.isRendering } })
    #expect(!CleanShutdownMarker(files).remove())
    await accountManager.shutDown()
  }

  @Test("a format that cannot be written stops neither the others nor other accounts, and is written later")
  func failure() async throws {
    let accountManager = try accountManager()
    let (account, other) = (try await opened(bird, by: accountManager), try await opened(fish, by: accountManager))
    let txt = files.published(as: .text)
    try File.remove(txt)
    try Folder.create("\(txt)/x")
    let (failing, outcome) = (publish(21, of: account), publish(21, of: other))
    #expect(try await eventually { failing.withLock { $0.isDone } && outcome.withLock { $0.isDone } })
    #expect(failing.withLock { $0.failure?.message.contains(txt) } == true)
    #expect(account.queue.sync { account.store.unstored.reason?.contains(txt) } == true)
    #expect(outcome.withLock { $0.failure } == nil)
    #expect(try contains(21, files.published(as: .html)) && contains(21, files.published(as: .jsonLines)))
    for folder in ["\(txt)/x", txt] { try Folder.remove(folder) }
    let failure: OperationError? = await withCheckedContinuation { done in
      account.queue.async { account.publishBehind { done.resume(returning: $0) } }
    }
    #expect(try failure == nil && contains(21, txt))
    #expect(account.queue.sync { account.store.unstored.reason } == nil)
    await accountManager.shutDown()
  }

  @Test("files are published again if home_timeline.json is removed before the others are rendered")
  func outdated() async throws {
    let accountManager = try accountManager()
    let account = try await opened(bird, by: accountManager)
    let queues = OccupiedQueues(account)
    let outcome = publish(21, of: account)
    try File.remove(files.timeline)
    queues.release()
    #expect(try await eventually { outcome.withLock { $0.isDone } })
    #expect(outcome.withLock { $0.failure } == nil)
    #expect(try contains(21, files.timeline) && contains(21, files.published(as: .text)))
    await accountManager.shutDown()
  }
}

/// Occupies the queues that render files until the test releases them.
private final class OccupiedQueues: Sendable {
  private let isReleased = DispatchSemaphore(value: 0)
  private let count: Int

  init(_ account: Account, count: Int = 4) {
    self.count = count
    for _ in 0..<count { account.core.shared.renderingQueues.run { [isReleased] in isReleased.wait() } }
  }

  func release() { for _ in 0..<count { isReleased.signal() } }
}
