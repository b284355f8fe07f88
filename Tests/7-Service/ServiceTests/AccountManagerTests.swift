import Accounts
import Dispatch
import Folders
import Formats
import Login
import Platform
import Sandbox
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

/// An account manager with one sandbox account, its own folder, and a clock that the test sets.
private final class Home: Sendable {
  let folder = TemporaryFolder()
  /// The time when each test starts. It is always the same, because the available posts and the rest of the day depend on it.
  let now = Locked(Timestamp(seconds: 1_790_000_000))
  let warnings = Locked<[String]>([])
  let account = AccountSettings(
    name: AccountName("demo")!, provider: "sandbox", credentials: .builtIn, refreshInterval: .seconds(90),
    keepPosts: 250)
  let layout: FileLayout
  let folders: BaseDirectories

  init() throws {
    folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    layout = FileLayout(folders)
  }

  /// Returns a new account manager with the same files, as after a restart of the program.
  func accountManager() -> AccountManager {
    AccountManager(
      configuration: Configuration(
        callback: CallbackSettings(port: 0), accounts: [account], sandbox: SandboxSettings(port: 0)), layout: layout,
      storage: FileStorage(layout),
      folders: folders, environment: [:], userAgent: "homeline-test",
      clocks: .all(by: WallClock { [now] in now.withLock { $0 } }),
      log: Log { [warnings] level, line in if level <= .warning { warnings.withLock { $0.append(line) } } })
  }

  func login(_ accountManager: AccountManager, _ options: LoginOptions = LoginOptions()) async -> Result<
    Void, OperationError
  > {
    await accountManager.logIn(account, options)
  }

  func refresh(_ accountManager: AccountManager, onlyDue: Bool = false) async -> [RefreshReport] {
    await accountManager.refreshed([account], onlyDue: onlyDue)
  }

  var files: AccountFiles { layout.files(of: "demo") }

  func published() throws -> TimelineFile { try TimelineFile.read(try File.read(files.timeline, limit: 1 << 24)) }
}

@Suite struct AccountManagerTests {
  @Test("after a login, the token is private, the user is known and the timeline is published")
  func login() async throws {
    let home = try Home()
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    #expect(try FileStatus.of(home.files.token).permissions == 0o600)
    #expect(try TokenStore(home.files).read()?.identity.user.screenName == "mira_demo")
    let file = try home.published()
    #expect(file.head.user?.screenName == "mira_demo")
    #expect(file.head.problem == nil)
    #expect(file.posts.count == 250)
    #expect(file.head.gaps == [])
  }

  @Test("a refresh is not due before its scheduled time")
  func due() async throws {
    let home = try Home()
    let accountManager = home.accountManager()
    #expect(await home.refresh(accountManager, onlyDue: true).isEmpty, "the account is not authorised")
    try await home.login(accountManager).get()
    #expect(await home.refresh(accountManager, onlyDue: true).isEmpty)
    home.now.withLock { $0 = $0 + .seconds(91) }
    let reports = await home.refresh(accountManager, onlyDue: true)
    #expect(reports.count == 1)
    #expect(reports.first?.failure == nil)
    #expect(try accountManager.nextRefresh(of: home.account) == home.now.withLock { $0 } + .seconds(90))
  }

  @Test("a deleted cache folder is restored from the database without a request")
  func deletedCache() async throws {
    let home = try Home()
    try await home.login(home.accountManager()).get()
    let before = try File.read(home.files.timeline, limit: 1 << 24)
    try File.remove(home.files.timeline)
    #expect(await home.refresh(home.accountManager(), onlyDue: true).isEmpty)
    #expect(try File.read(home.files.timeline, limit: 1 << 24) == before)
  }

  @Test(
    "after an unclean shutdown, torn and empty published files are restored without a request", arguments: ["", "{"])
  func uncleanEnd(torn: String) async throws {
    let home = try Home()
    let first = home.accountManager()
    try await home.login(first).get()
    let before = try File.read(home.files.timeline, limit: 1 << 24)
    // The first account manager is not closed, as after SIGKILL. The published file is torn, as after a power failure.
    try AtomicFile.write(Array(torn.utf8), to: home.files.timeline, .replaced)
    let second = home.accountManager()
    #expect(await home.refresh(second, onlyDue: true).isEmpty)
    #expect(try File.read(home.files.timeline, limit: 1 << 24) == before)
  }

  @Test("after a clean shutdown, no file is published before the next refresh")
  func cleanEnd() async throws {
    let home = try Home()
    let first = home.accountManager()
    try await home.login(first).get()
    await first.shutDown()
    let before = try FileStatus.of(home.files.timeline)
    let second = home.accountManager()
    #expect(await home.refresh(second, onlyDue: true).isEmpty)
    #expect(try FileStatus.of(home.files.timeline) == before)
    await second.shutDown()
  }

  @Test("without a token, a refresh reports the next step and schedules no request")
  func notAuthorised() async throws {
    let home = try Home()
    let report = try #require(await home.refresh(home.accountManager()).first)
    #expect(report.failure?.kind == .notAuthorised)
    #expect(report.failure?.message.contains("homeline login demo") == true)
    #expect(try home.published().head.problem?.code == .notAuthorised)
    #expect(try home.published().head.freshUntil == nil)
  }

  @Test("a login as a different user is refused with both names, or moves the previous user's files aside")
  func otherUser() async throws {
    let home = try Home()
    try await home.login(home.accountManager()).get()
    let stranger = AccountIdentity(server: "sandbox", user: User(id: "7", screenName: "stranger", name: "S"))
    try AccountDatabase.open(home.files, at: home.now.withLock { $0 }).update { $0.identity = stranger }
    let token = try File.read(home.files.token, limit: 1 << 16)
    guard case .failure(let failure) = await home.login(home.accountManager()) else {
      Issue.record("a login as another user was accepted")
      return
    }
    #expect(failure.kind == .notAuthorised)
    #expect(failure.message.contains("@mira_demo") && failure.message.contains("@stranger"))
    #expect(try File.read(home.files.token, limit: 1 << 16) == token)
    try await home.login(home.accountManager(), LoginOptions(switchesUser: true)).get()
    #expect(try home.published().head.user?.screenName == "mira_demo")
    let aside = try Folder.names(in: home.layout.dataFolder).filter { $0.hasPrefix("demo.was-7-") }
    #expect(aside.count == 1)
  }

  @Test("a login without a response times out and stores nothing")
  func timeout() async throws {
    let home = try Home()
    let accountManager = home.accountManager()
    let outcome: Result<Void, OperationError> = await withCheckedContinuation { done in
      do throws(OperationError) {
        _ = try accountManager.login(home.account, LoginOptions(timeout: .milliseconds(50))) { _ in
        } completion: {
          done.resume(returning: $0)
        }
      } catch { done.resume(returning: .failure(error)) }
    }
    guard case .failure(let failure) = outcome else {
      Issue.record("the login succeeded")
      return
    }
    #expect(failure.kind == .notAuthorised)
    #expect(!File.exists(home.files.token))
    #expect(try Folder.names(in: home.files.stateFolder) == [])
  }

  @Test("a logout revokes the token on the provider and keeps the posts, and the file shows the next step")
  func logout() async throws {
    let home = try Home()
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let report = await accountManager.logOut(home.account)
    guard case .success(.revoked) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(!File.exists(home.files.token))
    #expect(try home.published().head.problem?.code == .notAuthorised)
    #expect(try home.published().posts.count == 250)
  }

  @Test("the published file reports that an account's consumer secret is missing; the account can still be logged out")
  func noSecret() async throws {
    let home = try Home()
    try await home.login(home.accountManager()).get()
    let secret = SecretSource.file(path: "\(home.folder.path)/none")
    let poor = AccountSettings(
      name: home.account.name, provider: "twitter", credentials: .oauth1(consumerKey: "k", consumerSecret: secret),
      keepPosts: 250)
    let accountManager = AccountManager(
      configuration: Configuration(
        callback: CallbackSettings(port: 0), accounts: [poor], sandbox: SandboxSettings(port: 0)), layout: home.layout,
      storage: FileStorage(home.layout),
      folders: home.folders, environment: [:], userAgent: "homeline-test", log: .silent)
    let reports = await accountManager.refreshed([poor])
    #expect(reports.first?.failure?.kind == .configuration)
    #expect(reports.first?.failure?.message.contains("/none") == true)
    let head = try home.published().head
    #expect(head.problem?.code == .secretUnavailable)
    #expect(head.staleSince != nil)
    #expect(try home.published().posts.count == 250)
    let logout = await accountManager.logOut(poor)
    guard case .success(.notRevoked(let why)) = logout else {
      Issue.record("\(logout)")
      return
    }
    #expect(why.contains("/none"))
    #expect(!File.exists(home.files.token))
  }
}
