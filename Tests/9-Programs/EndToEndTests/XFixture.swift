import Bytes
import Folders
import Platform
import SandboxSupport
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// An installation with one OAuth 2.0 account, `bird`, at a simulated X server in the test process.
final class XFixture: Sendable {
  let home: TestInstallation
  let server: SandboxServer<XSandbox>
  /// The reservation of the server's port, which outlives the server.
  private let port: ReservedPort
  private let requests: Locked<[RequestRecord]>

  /// - Parameters:
  ///   - more: additional members of the account.
  ///   - clock: the server's clock.
  ///   - variables: environment variables for every program.
  ///   - onRequest: called for each request before its response is sent.
  init(
    _ more: String = #""keep_posts": 20"#, clock: WallClock = .system, variables: [String: String] = [:],
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) throws {
    home = try TestInstallation(variables: variables)
    let requests = Locked<[RequestRecord]>([])
    self.requests = requests
    port = try ReservedPort()
    var policy = SandboxPolicy()
    policy.timeline = .forTests(at: clock.now)
    server = try SandboxServer(
      XSandbox(redirects: ["http://127.0.0.1:1/callback"], policy: policy), port: port.port, clock: clock
    ) { record in
      requests.withLock { $0.append(record) }
      onRequest(record)
    }
    server.with { $0.oauth2.policy.redirectMatch = .anyLoopbackPort }
    try configure(at: server.baseURL, more)
  }

  /// Rewrites the configuration.
  /// - Parameters:
  ///   - base: the base URL of the account's endpoints.
  ///   - elsewhere: complete URLs that replace some of the account's endpoints, by the endpoint's name in the
  ///     configuration.
  func configure(at base: String, _ more: String = "", elsewhere: [String: String] = [:]) throws {
    let paths = [
      ("authorize", XRoute.authorizePage.path), ("token", XRoute.token.path), ("revoke", XRoute.revocation.path),
      ("users_me", "/2/users/me"), ("home_timeline", "/2/users/{id}/timelines/reverse_chronological"),
    ]
    let endpoints = paths.map { #""\#($0)": "\#(elsewhere[$0] ?? base + $1)""# }.joined(separator: ", ")
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "bird": {
        "provider": "x", "client_id": "\(XSandbox.publicClientID)",
        "endpoints": { \(endpoints) }\(more.isEmpty ? "" : ", \(more)") } } }
      """)
  }

  deinit { server.stop() }

  /// The number of token requests that the server has received.
  var tokenRequests: Int { requests.withLock { $0.count { $0.path.hasPrefix(XRoute.token.path) } } }

  var tokenFile: String { home.token(of: "bird") }

  private func store() throws -> TokenStore {
    let environment = ProgramRun.environment(home: home.path)
    return TokenStore(FileLayout(try #require(BaseDirectories(environment: environment))).files(of: "bird"))
  }

  func stored() throws -> StoredToken { try #require(try store().read()) }

  /// Returns the stored access token, in plain text.
  func accessToken() throws -> String {
    try #require(try stored().grant.bearer).accessToken.withExposedText { $0 }
  }

  /// Changes the stored token's times, relative to this machine's clock.
  func changeTimes(renewAt: Duration?, expiresAt: Duration?, keepsRefreshToken: Bool = true) throws {
    let (stored, now) = (try stored(), WallClock.system.now)
    let token = try #require(stored.grant.bearer)
    let changed = BearerToken(
      accessToken: token.accessToken, refreshToken: keepsRefreshToken ? token.refreshToken : nil, scope: token.scope,
      clientID: token.clientID, issuedAt: token.issuedAt, expiresAt: expiresAt.map { now + $0 },
      renewAt: renewAt.map { now + $0 })
    let store = try store()
    try store.keep(stored.renewed(changed), at: now)
  }

  /// Returns the number of requests so far, by route.
  func count(of route: TwitterRoute) -> Int {
    requests.withLock { $0.count { $0.path.prefix { $0 != "?" } == route.path } }
  }

  /// Logs in, with the test as the browser.
  func logIn() async throws { try await home.logIn("bird", "--no-browser") }
}
