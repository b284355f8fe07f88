import Platform
import TestSupport
import Testing

/// What `Tests/Peers/chromium_walk.py` saw: Chromium opened an address, pressed a button, and went where that led.
struct ChromiumWalk {
  let report: String
  private let environment: [String: String]

  /// Walks, and presses "Authorise" unless told otherwise.
  /// - Parameter environment: for `jq`.
  /// - Returns: nil where there is no Chromium, which is said aloud.
  init?(from address: PlainAddress, _ options: [String], environment: [String: String]) async throws {
    let variables = ProcessEnvironment.variables()
    guard let python = variables["HOMELINE_PEERS_PYTHON"] else {
      RoadHome.skip("HOMELINE_PEERS_PYTHON is not set; make test sets it")
      return nil
    }
    let outcome = try await ProgramRun.run(
      python,
      [RoadHome.repository("Tests/Peers/chromium_walk.py"), address.description, "--click", "#allow"] + options,
      environment: variables, timeout: .seconds(90))
    if outcome.code == 77 {
      print(outcome.output)
      return nil
    }
    try #require(outcome.code < 2, "\(outcome.error)")
    report = outcome.output
    self.environment = environment
  }

  /// The answer of a `jq -r` filter about the report.
  func jq(_ filter: String) async throws -> String {
    let outcome = try await ProgramRun.run("jq", ["-r", filter], environment: environment, input: .text(report))
    try #require(outcome.code == 0, "\(outcome.error)")
    return String(outcome.output.dropLast())
  }
}
