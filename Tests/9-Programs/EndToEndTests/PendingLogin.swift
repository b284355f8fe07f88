import Glibc
import HomelineOAuth
import TestSupport
import Testing

/// A pending `homeline login`, with the test as the browser.
struct PendingLogin: Sendable {
  let program: ProgramRun
  /// The authorisation address that the program printed.
  let address: LocalURL
  let browser = ScriptedBrowser()
  /// The fixture, kept as long as the login.
  private let home: TestInstallation
  private let fixture: (any Sendable)?

  /// Starts the login and waits for its address.
  /// - Parameters:
  ///   - mark: a part of the line with the address.
  ///   - stream: the stream where the address is printed.
  ///   - fixture: a fixture to keep as long as the login.
  init(
    _ home: TestInstallation, _ arguments: [String] = [], _ variables: [String: String] = [:],
    input: ProgramRun.Input = .nothing, addressWith mark: String = "http://", on stream: ProgramRun.Stream = .output,
    keeping fixture: (any Sendable)? = nil
  ) async throws {
    self.home = home
    self.fixture = fixture
    program = try home.start(["login"] + arguments, variables, input: input)
    guard let line = await program.line(containing: mark, on: stream) else {
      throw TestClient.Failure(description: "no address was printed: \(program.written(on: .error))")
    }
    address = try LocalURL(line)
  }

  /// The request token (OAuth 1.0a).
  var token: String { address.query["oauth_token"] ?? "" }

  /// Returns a parameter of the authorisation address.
  func parameter(_ name: String) throws -> String {
    let query = String(address.target.dropFirst(address.path.count + 1))
    let found = try FormEncoding.decode(query).first { $0.name.elementsEqual(name.utf8) }
    return String(decoding: try #require(found).value, as: UTF8.self)
  }

  /// Presses a button on the provider's page.
  /// - Returns: the provider's response.
  func press(_ action: String) throws -> TestClient.Answer { try browser.press(action, at: address) }

  /// Approves the login on the provider.
  /// - Returns: the redirect address.
  func grant() throws -> LocalURL { try browser.grant(at: address) }

  /// Denies the login on the provider.
  /// - Returns: the redirect address.
  func refuse() throws -> LocalURL { try browser.redirect(of: press("deny")) }

  /// Presses a button on the provider's page, on another thread.
  /// - Returns: the redirect address.
  func redirect(pressing action: String) async throws -> String {
    try await OwnThread.run { try "\(browser.redirect(of: press(action)))" }
  }

  /// Approves the login on the provider and follows the redirects.
  /// - Returns: the result page.
  @discardableResult
  func authorise() async throws -> TestClient.Answer {
    try await OwnThread.run { try browser.follow(grant()) }
  }

  /// Ends the program and waits for it.
  func giveUp() async {
    program.signal(SIGTERM)
    _ = await program.end()
  }
}
