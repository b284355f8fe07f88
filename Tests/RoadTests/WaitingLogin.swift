import Glibc
import TestSupport
import Testing

/// A pending `homeline login`, with the test as the browser.
struct WaitingLogin {
  let program: ProgramRun
  /// The authorisation address that the program printed.
  let address: PlainAddress
  let browser = PlainBrowser()

  /// Starts the login and waits for its address.
  init(
    _ home: RoadHome, _ arguments: [String] = [], _ variables: [String: String] = [:],
    input: ProgramRun.Input = .nothing
  ) async throws {
    program = try home.start(["login"] + arguments, variables, input: input)
    let line = await program.line(containing: "oauth_token=")
    guard let line else {
      throw TestClient.Failure(description: "no address was printed: \(program.written(on: .error))")
    }
    address = try PlainAddress(line)
  }

  /// The login's request token.
  var token: String { address.query["oauth_token"] ?? "" }

  /// Presses a button on the provider's page.
  /// - Returns: the provider's response.
  func press(_ action: String) throws -> TestClient.Answer { try browser.press(action, at: address) }

  /// Approves at the provider.
  /// - Returns: the redirect address with the verifier.
  func grant() throws -> PlainAddress { try browser.grant(at: address) }

  /// Refuses at the provider.
  func refuse() throws -> PlainAddress { try browser.redirect(of: press("deny")) }

  /// Ends the program and waits for it.
  func giveUp() async {
    program.signal(SIGTERM)
    _ = await program.end()
  }
}
