import Platform
import TestSupport
import Testing

/// An installation whose account `key` belongs to an OAuth 2.0 server.
final class OAuth2PeerFixture: Sendable {
  /// How the configuration specifies the server.
  enum ServerLocation: Sendable, CaseIterable {
    /// By its issuer, which has metadata.
    case issuer
    /// By its endpoints.
    case endpoints
  }

  let home: TestInstallation
  /// The server, which runs as long as this fixture exists.
  let server: OAuth2PeerServer

  var tokenFile: String { home.token(of: "key") }
  /// The temporary file of a renewal in progress.
  var renewalFile: String { "\(tokenFile).next" }

  /// Writes the configuration.
  /// - Parameters:
  ///   - hasSecret: whether the client has a secret.
  ///   - members: additional members of the account, as JSON.
  ///   - callback: the members of `callback` in the configuration.
  ///   - provider: the provider in the configuration.
  init(
    _ server: OAuth2PeerServer, by location: ServerLocation = .issuer, hasSecret: Bool = false, members: String? = nil,
    callback: String = #""port": 0"#, provider: String = "oauth2"
  ) throws {
    self.server = server
    var account = [#""provider": "\#(provider)""#, #""client_id": "\#(server.clientID)""#]
    if hasSecret { account.append(#""client_secret": "\#(server.clientSecret)""#) }
    switch location {
    case .issuer: account.append(#""issuer": "\#(server.issuer)""#)
    case .endpoints:
      let addresses = [("authorize", "authorize"), ("token", "token"), ("revoke", "revoke"), ("userinfo", "me")]
      let endpoints = try addresses.map { #""\#($0)": "\#(try #require(server.endpoints[$1]))""# }
      account.append(#""endpoints": { \#(endpoints.joined(separator: ", ")) }"#)
    }
    if let members { account.append(members) }
    home = try TestInstallation()
    try home.configure(
      """
      { "callback": { \(callback) }, "accounts": { "key": { \(account.joined(separator: ", ")) } } }
      """)
  }

  /// Starts a login and waits for its address.
  func beginLogin(
    _ arguments: [String] = [], input: ProgramRun.Input = .nothing
  ) async throws -> PendingLogin {
    try await PendingLogin(
      home, ["key", "--no-browser", "--timeout", "200"] + arguments, input: input, keeping: self)
  }

  /// Logs in, with the test as the browser. The test fails if the login fails.
  @discardableResult
  func logIn(_ arguments: String...) async throws -> ProgramRun.Outcome {
    let login = try await beginLogin(arguments)
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error) \(visits.last?.text ?? "")")
    return outcome
  }

  /// Returns the account's entry in `homeline status --json`.
  func status() async throws -> JSONValue {
    let outcome = try await home.run("status", "--json")
    try #require(outcome.code == 0, "\(outcome.error)")
    return try #require(try JSONValue(Array(outcome.output.utf8))["accounts"].items.first)
  }

  func token() throws -> JSONValue { try JSONValue(file: tokenFile) }
}

extension OAuth2PeerFixture {
  /// Returns an installation whose account has an expired token, which the next use renews. Later tokens do not expire.
  /// - Parameter options: options of the server.
  static func withEndedToken(_ options: [String] = []) async throws -> OAuth2PeerFixture {
    let server = try await OAuth2PeerServer(options + ["--alter", #"{"expires_in": 0}"#])
    let fixture = try OAuth2PeerFixture(server)
    try await fixture.logIn()
    try await server.control(#"{"alter": "", "do": "forget_counts"}"#)
    return fixture
  }
}

/// An OAuth 2.0 authorisation server built on Authlib. It runs in a separate process, which ends with this object.
///
/// `Tests/Peers/README.md` lists its options.
final class OAuth2PeerServer: Sendable {
  /// A request that the server has received.
  struct Seen: Sendable {
    let method: String
    let path: String
    /// The status of the response; 499 if the server closed the connection instead.
    let status: Int
    /// The fault that affected the response.
    let fault: String?
    /// The `grant_type` of a token request.
    let grant: String?
    /// The parameters of an authorisation request that the protocol does not define.
    let extra: [String: String]
    /// How the client authenticated in a POST request: `basic`, `post` or `none`.
    let authentication: String?
  }

  private static let program = "authlib_oauth2_server.py"
  private static let pages = ["authorize", "token", "revoke", "device_authorization", "device", "me"]

  let url: String
  /// The issuer in the server's metadata and redirects, unless an option changes it.
  let issuer: String
  let clientID: String
  let clientSecret: String
  /// The complete URLs of the endpoints: `authorize`, `token`, `revoke`, `device_authorization`, `device`, `me`.
  let endpoints: [String: String]
  private let run: ProgramRun
  private let folder: TemporaryFolder
  /// The server's log. The line about each request is written before the response.
  var logFile: String { "\(folder.path)/log" }

  /// Starts the server and waits until it listens.
  /// - Parameter options: the server's options, such as `["--rotation", "none"]`.
  init(_ options: [String] = []) async throws {
    folder = TemporaryFolder()
    run = try Peers.start(Self.program, ["--log", "\(folder.path)/log", "--lifetime", "600"] + options)
    guard let line = await run.line(containing: "\"ready\"") else {
      throw TestClient.Failure(description: "\(Self.program) did not start: \(run.written(on: .error))")
    }
    let ready = try JSONValue(Array(line.utf8))
    url = try #require(ready["url"].text)
    issuer = try #require(ready["issuer"].text)
    clientID = try #require(ready["client_id"].text)
    clientSecret = try #require(ready["client_secret"].text)
    endpoints = try Dictionary(
      uniqueKeysWithValues: Self.pages.map { (page) -> (String, String) in
        let address: String = try #require(ready[page].text)
        return (page, address)
      })
  }

  deinit { run.endInput() }

  /// Stops the server and waits until it has exited.
  func stop() async {
    run.endInput()
    _ = await run.end()
  }

  /// Changes the server's options while it runs.
  /// - Parameter orders: a JSON object, such as `{"fault": "half", "fault_next": 1}`.
  /// - Throws: the server's message if it does not understand the options.
  func control(_ orders: String) async throws {
    let response = try await send("POST", orders)
    guard response.status == 200 else { throw TestClient.Failure(description: response.text) }
  }

  /// Returns how often the server has counted an event.
  func count(_ name: String) async throws -> Int { try await counts()[name].integer ?? 0 }

  /// Returns all counts that are not zero.
  func counts() async throws -> JSONValue { try JSONValue(await send("GET", "").body)["counts"] }

  /// Returns the refresh tokens in whose place the server has issued another one.
  func replacedRefreshTokens() async throws -> [String] {
    try JSONValue(await send("GET", "").body)["replaced_refresh_tokens"].items.compactMap(\.text)
  }

  /// Returns the current value of an option.
  func switched(_ name: String) async throws -> JSONValue {
    try JSONValue(await send("GET", "").body)["switches"][name]
  }

  /// Returns the requests so far, except those to `control` and `count`. Each request is logged before its response.
  func seen() throws -> [Seen] {
    guard File.exists(logFile) else { return [] }
    return try File.read(logFile, limit: 1 << 24).split(separator: UInt8(ascii: "\n")).map { line in
      let entry = try JSONValue(Array(line))
      return Seen(
        method: try #require(entry["method"].text), path: try #require(entry["path"].text),
        status: try #require(entry["status"].integer), fault: entry["fault"].text, grant: entry["grant"].text,
        extra: entry["extra"].members.compactMapValues(\.text), authentication: entry["authentication"].text)
    }
  }

  private func send(_ method: String, _ body: String) async throws -> TestClient.Answer {
    let address = try LocalURL(url + "/__control")
    return try await OwnThread.run {
      try ScriptedBrowser().send(method, address, fields: ["Content-Type: application/json"], body: body)
    }
  }
}

/// An account's token files. Read them only while no process is using them.
struct TokenFiles {
  /// The refresh token for the next renewal and the access token; nil if there is none.
  let refreshToken: String?
  let accessToken: String?
  /// Whether the refresh token is in the temporary file of an interrupted renewal.
  let isInTemporaryFile: Bool
  /// Whether the temporary file was only partly written.
  let isIncomplete: Bool

  /// Reads the token file and the temporary file.
  /// - Throws: if `token.json` exists and is incomplete.
  init(of fixture: OAuth2PeerFixture) throws {
    let stored = File.exists(fixture.tokenFile) ? try fixture.token() : nil
    if let stored { try #require(stored["refresh_token"].text != nil) }
    guard File.exists(fixture.renewalFile) else {
      (refreshToken, accessToken) = (stored?["refresh_token"].text, stored?["access_token"].text)
      (isInTemporaryFile, isIncomplete) = (false, false)
      return
    }
    // The temporary file is allocated before the response arrives, and its trailing zeros are cut off afterwards.
    let written = try File.read(fixture.renewalFile, limit: 1 << 16).split(separator: 0)
    let renewed = try? written.first.map { try JSONValue(Array($0)) }
    refreshToken = (renewed ?? stored)?["refresh_token"].text
    accessToken = (renewed ?? stored)?["access_token"].text
    isInTemporaryFile = renewed != nil
    isIncomplete = !written.isEmpty && renewed == nil
  }
}
