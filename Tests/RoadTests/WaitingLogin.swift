import Glibc
import TestSupport
import Testing

/// A `homeline login` that waits for its browser, which the test plays.
struct WaitingLogin {
  let program: ProgramRun
  /// The provider's page, as the program printed it.
  let address: PlainAddress
  let browser = PlainBrowser()

  /// Starts it and waits until it has printed the address.
  init(
    _ home: RoadHome, _ arguments: [String] = [], _ variables: [String: String] = [:],
    input: ProgramRun.Input = .nothing
  ) async throws {
    program = try home.start(["login"] + arguments, variables, input: input)
    let line = await program.line(containing: "oauth_token=")
    guard let line else {
      throw TestClient.Failure(description: "no address came: \(program.written(on: .error))")
    }
    address = try PlainAddress(line)
  }

  /// The request token that the login waits for.
  var token: String { address.query["oauth_token"] ?? "" }

  /// Presses a button on the provider's page.
  /// - Returns: the provider's answer.
  func press(_ action: String) throws -> TestClient.Answer { try browser.press(action, at: address) }

  /// Says yes at the provider.
  /// - Returns: where it sends the browser, with the verifier.
  func grant() throws -> PlainAddress { try browser.grant(at: address) }

  /// Says no at the provider.
  func refuse() throws -> PlainAddress { try browser.redirect(of: press("deny")) }

  /// Ends the program, and waits for its end.
  func giveUp() async {
    program.signal(SIGTERM)
    _ = await program.end()
  }
}
