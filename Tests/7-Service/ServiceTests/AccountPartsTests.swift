import Accounts
import Bytes
import Dispatch
import Folders
import Platform
import Posting
import Sandbox
import SandboxSupport
import Settings
import StorageTestSupport
import TestSupport
import Testing
import Timeline

@testable import Service

/// What an account does with its pending login, its outbox and its pictures, which it knows only through protocols.
@Suite struct AccountPartsTests {
  private let folder = TemporaryFolder()
  private let settings = AccountSettings(
    name: AccountName("bird")!, provider: "twitter",
    credentials: .oauth1(consumerKey: "key", consumerSecret: .literal(Secret("secret"))))

  private func accountManager() throws -> AccountManager {
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    return AccountManager(
      configuration: configuration([settings]), layout: FileLayout(folders), storage: MemoryStorage(), folders: folders,
      environment: [:], userAgent: "homeline-test", log: Log { _, _ in })
  }

  private func configuration(_ accounts: [AccountSettings]) -> Configuration {
    Configuration(callback: CallbackSettings(port: 0), accounts: accounts)
  }

  @Test("a pending login ends only when the account's keys change or the account is removed")
  func login() async throws {
    let accountManager = try accountManager()
    let account = try accountManager.account(settings)
    let login = RecordedLogin()
    account.queue.sync { account.login = login }
    func reasons(after accounts: [AccountSettings]) -> [String] {
      accountManager.adopt(configuration(accounts))
      return account.queue.sync { login.reasons }
    }
    var slower = settings
    slower.refreshInterval = .seconds(1200)
    #expect(reasons(after: [slower]) == [])
    var other = slower
    other.credentials = .oauth1(consumerKey: "other", consumerSecret: .literal(Secret("secret")))
    #expect(reasons(after: [other]) == ["the account's settings were changed"])
    #expect(reasons(after: []).last == "the account was removed from the configuration")
    await accountManager.shutDown()
  }

  @Test("a command gets the posts in the outbox, or the reason why they cannot be read")
  func outbox() async throws {
    let accountManager = try accountManager()
    let account = try accountManager.account(settings)
    let sender = RecordedSender(of: account)
    account.queue.sync { account.outbox = sender }
    #expect(try accountManager.outboxes(of: [settings]).map(\.intents.count) == [0])
    let failure = OperationError(.inputOutput, "the disk is gone")
    account.queue.sync { sender.failure = failure }
    #expect(throws: failure) { try accountManager.outboxes(of: [settings]) }
    await accountManager.shutDown()
  }

  @Test("an account that is removed from the configuration stops sending posts")
  func removed() async throws {
    let accountManager = try accountManager()
    let account = try accountManager.account(settings)
    let sender = RecordedSender(of: account)
    account.queue.sync { account.outbox = sender }
    accountManager.adopt(configuration([settings]))
    #expect(account.queue.sync { sender.closings } == 0)
    accountManager.adopt(configuration([]))
    #expect(try await eventually { account.queue.sync { sender.closings } == 1 })
    await accountManager.shutDown()
    #expect(account.queue.sync { sender.closings } == 1)
  }

  @Test("no pictures are requested while the provider is unreachable")
  func pictures() async throws {
    let fixture = try BearerFixture(.mastodon, in: .memory)
    let account = try fixture.accountManager.account(fixture.account)
    let fetcher = RecordedPictures()
    account.queue.sync {
      account.pictures.fetcher = fetcher
      account.pictures.want(["https://img.example/1"], by: "account:ann")
      account.pictures.want(["https://img.example/2"], by: "view:all")
    }
    let wanted = ["account:ann https://img.example/1", "view:all https://img.example/2"]
    #expect(account.queue.sync { fetcher.wanted } == wanted)
    await withCheckedContinuation { done in fixture.server.stop { done.resume() } }
    #expect(try await fixture.refresh().failure?.kind == .unavailable)
    account.queue.sync {
      account.pictures.want(["https://img.example/3"], by: "account:ann")
      account.pictures.want([], by: "view:all")
    }
    #expect(
      account.queue.sync { fetcher.wanted } == wanted + [
        "only kept: account:ann https://img.example/3", "only kept: view:all ",
      ])
    await fixture.accountManager.shutDown()
  }
}

private final class RecordedLogin: PendingLogin {
  private(set) var reasons: [String] = []

  func giveUp(_ reason: String) { reasons.append(reason) }
}

private final class RecordedPictures: PictureFetcher {
  private(set) var wanted: [String] = []

  func wantPictures(_ urls: [String], by owner: String, fetching fetches: Bool) {
    wanted.append("\(fetches ? "" : "only kept: ")\(owner) \(urls.joined(separator: " "))")
  }

  var progress: (done: Int, of: Int) { (0, 0) }

  func whenDone(_ body: @escaping () -> Void) { body() }
}

/// An outbox that is empty or cannot be read. Each call must be made on the account's queue.
private final class RecordedSender: PostSender {
  private unowned let account: Account
  var failure: OperationError?
  private(set) var closings = 0

  init(of account: Account) { self.account = account }

  func intents() throws(OperationError) -> [PostIntent] {
    dispatchPrecondition(condition: .onQueue(account.queue))
    if let failure { throw failure }
    return []
  }

  func check(
    _ draft: PostDraft, attaching files: [AttachedFile],
    completion: @escaping (Result<CheckedPost, OperationError>) -> Void
  ) { completion(.failure(.unexpected)) }

  func add(_ draft: PostDraft, attaching files: [AttachedFile], as id: IntentID?, waiter: PostWaiter) {}

  func retry(_ id: IntentID, isConfirmed: Bool, waiter: PostWaiter) {}

  func discard(_ id: IntentID) throws(OperationError) -> PostIntent { throw .unexpected }

  func perform(
    _ action: PostAction, on id: String, completion: @escaping (Result<PostActionOutcome, OperationError>) -> Void
  ) {
    completion(.failure(.unexpected))
  }

  func resume() {}

  func received(_ page: Page) {}

  func requestSucceeded() {}

  func loggedIn() {}

  func whenResting(_ body: @escaping () -> Void) { body() }

  func close() {
    dispatchPrecondition(condition: .onQueue(account.queue))
    closings += 1
  }
}

extension OperationError {
  fileprivate static let unexpected = OperationError(.bug, "this test sends no posts")
}
