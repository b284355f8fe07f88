import Accounts
import Bytes
import Folders
import Formats
import Login
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import StorageFiles
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// An account manager with an X account whose token is valid for 25 hours and cannot be renewed. The test moves the clock.
private final class EndingHome: OnSimulatedTime {
  let folder = TemporaryFolder()
  let time = SimulatedTime()
  let server: SandboxServer<XSandbox>
  let account: AccountSettings
  let accountManager: AccountManager
  let files: AccountFiles
  private let lines = Locked<[String]>([])

  init() throws {
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    let server = try SandboxServer(XSandbox(redirects: ["http://127.0.0.1:1/callback"]), clock: time.wall)
    self.server = server
    server.with {
      $0.oauth2.policy.redirectMatch = .anyLoopbackPort
      $0.oauth2.policy.accessLife = .seconds(25 * 3600)
    }
    func address(_ path: String) throws -> RequestURL { try RequestURL(server.baseURL + path) }
    account = AccountSettings(
      name: AccountName("bird")!, provider: "x",
      credentials: .oauth2(clientID: XSandbox.publicClientID, clientSecret: nil), scopes: ["tweet.read", "users.read"],
      refreshInterval: .seconds(900), keepPosts: 50,
      endpoints: [
        "authorize": try address(XRoute.authorizePage.path), "token": try address(XRoute.token.path),
        "users_me": try address("/2/users/me"),
        "home_timeline": try address("/2/users/{id}/timelines/reverse_chronological"),
      ])
    let layout = FileLayout(folders)
    files = layout.files(of: "bird")
    accountManager = AccountManager(
      configuration: Configuration(callback: CallbackSettings(port: 0), accounts: [account]), layout: layout,
      storage: FileStorage(layout),
      folders: folders, environment: [:], userAgent: "homeline-test", clocks: time.clocks,
      log: Log { [lines] level, line in if level == .warning { lines.withLock { $0.append(line) } } })
  }

  /// The warnings about the login's expiry in the log.
  var warnings: [String] { lines.withLock { $0.filter { $0.contains("is not renewed automatically") } } }

  func token() throws -> StoredToken? { try TokenStore(files).read() }

  func published() throws -> TimelineFile { try TimelineFile.read(try File.read(files.timeline, limit: 1 << 24)) }

  func close() async {
    await withCheckedContinuation { done in accountManager.shutDown { done.resume() } }
    server.stop()
  }
}

@Suite("Logins that cannot be renewed", .timeLimit(.minutes(5))) struct LoginWarningTests {
  @Test("the service warns before a login expires, once at each step, and the published file states the expiry")
  func warnings() async throws {
    let home = try EndingHome()
    try await home.accountManager.logIn(home.account).get()
    let end = try #require(try home.token()?.grant.loginExpiresAt)
    #expect(try home.published().head.loginNeededBy == end)
    #expect(home.warnings.isEmpty, "a process that ends with its command does not warn")
    await withCheckedContinuation { started in home.accountManager.startSchedule { started.resume() } }
    await home.run(for: .seconds(1800))
    #expect(home.warnings.count == 1)
    #expect(home.warnings.first?.contains("bird: the login ends at \(end.rfc3339) (1 day)") == true, "\(home.warnings)")
    await home.run(for: .seconds(5 * 3600))
    #expect(home.warnings.count == 2 && home.warnings.last?.contains("homeline login bird") == true)
    await home.close()
  }

  @Test(
    "a login before the expiry keeps the posts, and the stored token until a new one has arrived")
  func again() async throws {
    let home = try EndingHome()
    try await home.accountManager.logIn(home.account).get()
    let (former, posts) = (try #require(try home.token()), try home.published().posts)
    home.time.pass(.seconds(600))
    let meanwhile = Locked<StoredToken?>(nil)
    let accountManager = home.accountManager
    let files = home.files
    let held = Locked<LoginSession?>(nil)
    let result: Result<Void, OperationError> = await withCheckedContinuation { done in
      do throws(OperationError) {
        let session = try accountManager.login(home.account, LoginOptions()) { news in
          guard case .address(let address, _) = news else { return }
          meanwhile.withLock { $0 = try? TokenStore(files).read() }
          SandboxVisitor(client: accountManager.client).authorise(at: address.text) { _ in }
        } completion: {
          done.resume(returning: $0)
        }
        held.withLock { $0 = session }
      } catch { done.resume(returning: .failure(error)) }
    }
    try result.get()
    #expect(meanwhile.withLock { $0 } == former)
    let new = try #require(try home.token())
    #expect(new.grant != former.grant && new.identity == former.identity)
    let now = Set(try home.published().posts.map(\.id))
    #expect(posts.prefix(5).allSatisfy { now.contains($0.id) })
    #expect(try Folder.names(in: "\(home.folder.path)/.local/state/homeline").allSatisfy { !$0.contains(".was-") })
    await home.close()
  }
}
