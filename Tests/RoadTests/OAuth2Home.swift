import HomelineOAuth
import Platform
import TestSupport
import Testing

/// An installation whose account `key` belongs to an OAuth 2.0 server.
final class OAuth2Home: Sendable {
  /// How the configuration names the server.
  enum Place: Sendable, CaseIterable {
    /// By its issuer, with metadata.
    case issuer
    /// By its endpoints.
    case endpoints
  }

  let folder = TemporaryFolder()
  /// Runs as long as this fixture exists.
  let server: OAuth2PeerServer

  var tokenFile: String { "\(folder.path)/state/homeline/key/token.json" }
  /// The temporary file of a renewal in progress.
  var renewalFile: String { "\(tokenFile).next" }
  var lock: String { "\(folder.path)/state/homeline/lock" }

  /// Writes the configuration.
  /// - Parameters:
  ///   - hasSecret: whether the client is confidential.
  ///   - members: additional members of the account, as JSON.
  ///   - callback: the members of `callback`.
  init(
    _ server: OAuth2PeerServer, by place: Place = .issuer, hasSecret: Bool = false, members: String? = nil,
    callback: String = #""port": 0"#
  ) throws {
    self.server = server
    var account = [#""provider": "oauth2""#, #""client_id": "\#(server.clientID)""#]
    if hasSecret { account.append(#""client_secret": "\#(server.clientSecret)""#) }
    switch place {
    case .issuer: account.append(#""issuer": "\#(server.issuer)""#)
    case .endpoints:
      let addresses = [("authorize", "authorize"), ("token", "token"), ("revoke", "revoke"), ("userinfo", "me")]
      let endpoints = try addresses.map { #""\#($0)": "\#(try #require(server.endpoints[$1]))""# }
      account.append(#""endpoints": { \#(endpoints.joined(separator: ", ")) }"#)
    }
    if let members { account.append(members) }
    let configuration = """
      { "callback": { \(callback) }, "accounts": { "key": { \(account.joined(separator: ", ")) } } }
      """
    let place = "\(folder.path)/config/homeline"
    try Folder.create(place)
    try AtomicFile.write(Array(configuration.utf8), to: "\(place)/config.json", .replaced)
  }

  /// Starts `homeline`.
  func start(_ arguments: [String], input: ProgramRun.Input = .nothing) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.product("homeline"), arguments, environment: ProgramRun.environment(home: folder.path), input: input)
  }

  /// Runs `homeline` to its end.
  @discardableResult
  func homeline(_ arguments: String...) async throws -> ProgramRun.Outcome { try await start(arguments).end() }

  /// Logs in with the test as the browser; the test fails if the login fails.
  @discardableResult
  func logIn(_ arguments: String...) async throws -> ProgramRun.Outcome {
    let login = try await OAuth2WaitingLogin(self, arguments)
    let visits = try await PlainBrowser.walk(from: login.press("allow"))
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error) \(visits.last?.text ?? "")")
    return outcome
  }

  /// The account's entry in `homeline status --json`.
  func status() async throws -> JSONValue {
    let outcome = try await homeline("status", "--json")
    try #require(outcome.code == 0, "\(outcome.error)")
    return try #require(try JSONValue(Array(outcome.output.utf8))["accounts"].items.first)
  }

  func token() throws -> JSONValue { try JSONValue(file: tokenFile) }
}

/// A pending `homeline login` of such an account, with the test as the browser.
struct OAuth2WaitingLogin {
  /// Keeps the fixture alive.
  private let home: OAuth2Home
  let program: ProgramRun
  /// The authorisation address that the program printed.
  let address: PlainAddress

  /// Starts the login and waits for its address.
  init(_ home: OAuth2Home, _ arguments: [String] = [], input: ProgramRun.Input = .nothing) async throws {
    self.home = home
    program = try home.start(["login", "key", "--no-browser", "--timeout", "200"] + arguments, input: input)
    guard let line = await program.line(containing: "response_type=code") else {
      throw TestClient.Failure(description: "no address was printed: \(program.written(on: .error))")
    }
    address = try PlainAddress(line)
  }

  /// A parameter of the authorisation address.
  func parameter(_ name: String) throws -> String {
    let query = String(address.target.dropFirst(address.path.count + 1))
    let found = try FormEncoding.decode(query).first { $0.name.elementsEqual(name.utf8) }
    return String(decoding: try #require(found).value, as: UTF8.self)
  }

  /// Presses a button on the server's page.
  /// - Returns: the redirect address.
  func press(_ action: String) async throws -> String {
    let address = address
    return try await PlainBrowser.onThreadOfItsOwn {
      let answer = try PlainBrowser().send(
        "POST", PlainAddress(address, target: address.path),
        fields: ["Content-Type: application/x-www-form-urlencoded"],
        body: "\(address.target.dropFirst(address.path.count + 1))&action=\(action)")
      guard [302, 303].contains(answer.status), let location = answer.field("Location") else {
        throw TestClient.Failure(description: "no redirect: \(answer.head)\n\(answer.text)")
      }
      return location
    }
  }
}
