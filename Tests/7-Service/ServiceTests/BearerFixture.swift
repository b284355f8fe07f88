import Accounts
import Dispatch
import Folders
import Formats
import HTTP
import HomelineOAuth
import Platform
import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// An account at a simulated OAuth 2.0 provider, with a token as after a login, and a clock that the test moves.
final class BearerFixture<Simulated: SimulatedProvider>: OnSimulatedTime {
  let folder: TemporaryFolder
  let time: SimulatedTime
  let server: SandboxServer<WatchedProvider<Simulated>>
  let account: AccountSettings
  let layout: FileLayout
  let storage: any StorageProvider
  let accountManager: AccountManager
  /// Creates a new account manager with the same files, as after a restart of the program.
  let nextAccountManager: @Sendable () -> AccountManager
  let lines = Locked<[String]>([])

  /// - Parameters:
  ///   - callbackPort: the port of the redirect; 0 for a different one at each login.
  ///   - settings: creates the account's settings for the provider's address.
  init(
    _ simulated: Simulated, in store: StoreChoice = .standard, callbackPort: UInt16 = 0,
    _ settings: (String) throws -> AccountSettings
  ) throws {
    let (folder, time) = (TemporaryFolder(), SimulatedTime())
    (self.folder, self.time) = (folder, time)
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    server = try SandboxServer(WatchedProvider(simulated), clock: time.wall)
    let account = try settings(server.baseURL)
    let layout = FileLayout(folders)
    let storage = store.provider(layout)
    (self.account, self.layout, self.storage) = (account, layout, storage)
    let log = Log { [lines] level, line in if level <= .info { lines.withLock { $0.append(line) } } }
    nextAccountManager = {
      AccountManager(
        configuration: Configuration(callback: CallbackSettings(port: callbackPort), accounts: [account]),
        layout: layout,
        storage: storage,
        folders: folders, environment: [:], userAgent: "homeline-test", clocks: time.clocks, log: log)
    }
    accountManager = nextAccountManager()
  }

  var files: AccountFiles { layout.files(of: account.name.text) }
  var visits: [Visit] { server.with { $0.visits } }
  var renewals: [Visit] { visits.filter(\.isRenewal) }
  var pages: [Visit] { visits.filter { $0.path.contains("timeline") } }

  func token() throws -> BearerToken { try #require(try storage.tokens(of: account.name).read()?.grant.bearer) }
  func published() throws -> TimelineFile { try TimelineFile.read(try File.read(files.timeline, limit: 1 << 24)) }

  /// Stores a token as a login would. The requests that obtain it do not count as visits.
  func authorise(as client: OAuth2Client, _ flow: OAuth2Flow) throws {
    let (now, name) = (time.now, account.name.text)
    let given: Result<(AccessTokenResponse, Timestamp), any Error> = server.with { watched in
      Result {
        let issued = try watched.simulated.give(client, flow, at: now)
        watched.note(issued, of: name, at: now)
        return (issued, watched.clock(at: now))
      }
    }
    let (issued, issuedAt) = try given.get()
    try StoredToken(
      issued, of: SandboxUser.id, at: server.baseURL, account, client: client.identifier, issuedAt: issuedAt,
      receivedAt: now
    ).put(into: storage.tokens(of: account.name), at: now)
  }

  /// Changes or inspects the simulated provider.
  func play<Value>(_ body: (inout Faulty<Simulated>) -> Value) -> Value { server.with { body(&$0.simulated) } }

  /// Refreshes the account at the user's request.
  func refresh(_ accountManager: AccountManager? = nil) async throws -> RefreshReport {
    try #require(await (accountManager ?? self.accountManager).refreshed([account]).first)
  }

  func close() async {
    await withCheckedContinuation { done in accountManager.shutDown { done.resume() } }
    await withCheckedContinuation { done in server.stop { done.resume() } }
  }
}

extension StoredToken {
  /// Returns the token that a login creates from a token response.
  init(
    _ issued: AccessTokenResponse, of userID: String, at server: String, _ account: AccountSettings, client: String,
    issuedAt: Timestamp, receivedAt: Timestamp
  ) {
    let life = issued.expiresIn.map { Duration.seconds($0) }
    let bearer = BearerToken(
      accessToken: issued.accessToken, refreshToken: issued.refreshToken, scope: issued.scope, clientID: client,
      issuedAt: issuedAt, receivedAt: receivedAt, expiresAt: life.map { issuedAt + $0 },
      renewAt: issued.refreshToken == nil ? nil : life.map { issuedAt + $0 - min(.seconds(300), $0 / 10) })
    self.init(of: userID, at: server, account, .oauth2(bearer), authorisedAt: issuedAt)
  }

  init(
    of userID: String, at server: String, _ account: AccountSettings, _ grant: Storage.TokenGrant,
    authorisedAt: Timestamp
  ) {
    self.init(
      provider: account.provider,
      identity: AccountIdentity(
        server: server, user: User(id: userID, screenName: SandboxUser.screenName, name: "Mira")),
      grant: grant, authorisedAt: authorisedAt)
  }

  func put(into tokens: any TokenStorage, at now: Timestamp) throws { try tokens.reserve(at: now).commit(self) }
}
