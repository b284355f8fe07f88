import HomelineOAuth
import Platform
import TestSupport
import Testing

/// A home of its own for one test, whose account `key` has a token of an OAuth 2.0 server, and the real `homeline` in it.
final class OAuth2Home: Sendable {
  /// How the configuration tells where the server is.
  enum Place: Sendable, CaseIterable {
    /// By its metadata.
    case issuer
    /// By its addresses.
    case endpoints
  }

  let folder = TemporaryFolder()
  /// Runs as long as this home is used.
  let server: OAuth2PeerServer

  var tokenFile: String { "\(folder.path)/state/homeline/key/token.json" }
  /// Where a renewal under way lies.
  var renewalFile: String { "\(tokenFile).next" }
  var lock: String { "\(folder.path)/state/homeline/lock" }

  /// Writes the configuration.
  /// - Parameters:
  ///   - hasSecret: whether the client is a confidential one.
  ///   - members: further members of the account, as JSON.
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

  /// Logs in with the test as the browser, and fails the test if that does not work.
  @discardableResult
  func logIn(_ arguments: String...) async throws -> ProgramRun.Outcome {
    let login = try await OAuth2WaitingLogin(self, arguments)
    let visits = try await PlainBrowser.walk(from: login.press("allow"))
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error) \(visits.last?.text ?? "")")
    return outcome
  }

  /// What `homeline status --json` says of the account.
  func status() async throws -> JSONValue {
    let outcome = try await homeline("status", "--json")
    try #require(outcome.code == 0, "\(outcome.error)")
    return try #require(try JSONValue(Array(outcome.output.utf8))["accounts"].items.first)
  }

  func token() throws -> JSONValue { try JSONValue(file: tokenFile) }
}

/// A `homeline login` of such an account that waits for its browser, which the test plays.
struct OAuth2WaitingLogin {
  /// Stays as long as the login.
  private let home: OAuth2Home
  let program: ProgramRun
  /// The authorisation request, as the program printed it.
  let address: PlainAddress

  /// Starts it and waits until it has printed the address.
  init(_ home: OAuth2Home, _ arguments: [String] = [], input: ProgramRun.Input = .nothing) async throws {
    self.home = home
    program = try home.start(["login", "key", "--no-browser", "--timeout", "200"] + arguments, input: input)
    guard let line = await program.line(containing: "response_type=code") else {
      throw TestClient.Failure(description: "no address came: \(program.written(on: .error))")
    }
    address = try PlainAddress(line)
  }

  /// A parameter of the authorisation request.
  func parameter(_ name: String) throws -> String {
    let query = String(address.target.dropFirst(address.path.count + 1))
    let found = try FormEncoding.decode(query).first { $0.name.elementsEqual(name.utf8) }
    return String(decoding: try #require(found).value, as: UTF8.self)
  }

  /// Presses a button on the server's page.
  /// - Returns: where the server sends the browser.
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
