import Accounts
import Bytes
import Folders
import Formats
import Platform
import Service
import Settings
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// An account whose provider limits a user's requests per day without reporting the limit.
@Suite("The daily request limit") struct RequestsOfDayTests {
  private static let noon = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!
  private static let midnight = Timestamp(rfc3339: "2026-11-21T00:00:00Z")!

  private let folder = TemporaryFolder()
  private let folders: BaseDirectories
  private let now = Locked(noon)
  private let account: AccountSettings
  private var files: AccountFiles { FileLayout(folders).files(of: "weibo") }

  init() throws {
    folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    // No program is listening on this port, so requests to it fail.
    let names = ["authorize", "token", "token_info", "users_show", "home_timeline", "revoke"]
    account = AccountSettings(
      name: AccountName("weibo")!, provider: "weibo",
      credentials: .oauth2(clientID: "app", clientSecret: .literal(Secret("secret"))), refreshInterval: .seconds(900),
      endpoints: Dictionary(uniqueKeysWithValues: try names.map { ($0, try RequestURL("http://127.0.0.1:1/\($0)")) }))
    let tokens = TokenStore(files)
    let user = User(id: "42", screenName: "ann", name: "Ann")
    let token = StoredToken(
      provider: "weibo", identity: AccountIdentity(server: "http://127.0.0.1:1", user: user),
      grant: .oauth2(
        BearerToken(
          accessToken: Secret("token"), refreshToken: nil, scope: nil, clientID: "app", issuedAt: Self.noon,
          expiresAt: nil,
          renewAt: nil)), authorisedAt: Self.noon)
    try tokens.keep(token, at: Self.noon)
  }

  private func accountManager() -> AccountManager {
    AccountManager(
      configuration: Configuration(callback: CallbackSettings(port: 0), accounts: [account]),
      layout: FileLayout(folders), storage: FileStorage(FileLayout(folders)),
      folders: folders, environment: [:], userAgent: "homeline-test",
      clocks: .all(by: WallClock { [now] in now.withLock { $0 } }), log: .silent)
  }

  private func use(_ requests: Int) throws {
    let database = try AccountDatabase.open(files, at: Self.noon)
    for _ in 0..<requests { _ = try database.reserve(posts: 0, microUSD: 0, at: Self.noon) }
    database.close()
  }

  private func used() throws -> Int {
    let database = try #require(try AccountDatabase.openForReading(files))
    defer { database.close() }
    return try database.spending().today(at: now.withLock { $0 }).requests
  }

  @Test(
    "the day's last request is sent and counted, and the next one waits for the next day, even after a restart"
  )
  func limit() async throws {
    try use(99)
    #expect(await accountManager().refreshed([account]).first?.failure?.kind == .unavailable)
    #expect(try used() == 100)
    let refused = try #require(await accountManager().refreshed([account]).first?.failure)
    #expect(refused.kind == .tryAgain(at: Self.midnight))
    #expect(
      refused.message.hasPrefix("the 100 requests that the provider allows each user per day (UTC) have been used up"))
    #expect(try used() == 100)
    let head = try TimelineFile.read(try File.read(files.timeline, limit: 1 << 20)).head
    #expect(head.problem?.code == .rateLimited && head.problem?.retryAt == Self.midnight)
    let database = try #require(try AccountDatabase.openForReading(files))
    #expect(try #require(try database.state()[.home].nextRefreshAt) >= Self.midnight)
    database.close()
    now.withLock { $0 = Self.midnight + .seconds(1) }
    #expect(await accountManager().refreshed([account]).first?.failure?.kind == .unavailable)
    #expect(try used() == 1)
  }
}
