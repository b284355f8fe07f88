import Glibc
import Platform
import TestSupport
import Testing

/// What `Tests/Peers/chromium_walk.py` saw: Chromium opened an address, pressed a button, and went where that led.
struct ChromiumWalk {
  let report: String
  private let environment: [String: String]

  /// Walks, and presses "Authorise" unless told otherwise.
  /// - Parameters:
  ///   - login: the program that waits for the browser. It is ended where Chromium cannot run here; then the test is skipped.
  ///   - environment: for `jq`.
  init(
    from address: PlainAddress, of login: ProgramRun, _ options: [String], environment: [String: String]
  ) async throws {
    let variables = ProcessEnvironment.variables()
    let python = try #require(Peers.python)
    let outcome = try await ProgramRun.run(
      python,
      [RoadHome.repository("Tests/Peers/chromium_walk.py"), address.description, "--click", "#allow"] + options,
      environment: variables, timeout: .seconds(90))
    if outcome.code == 77 {
      login.signal(SIGTERM)
      _ = await login.end()
      try skipTest("\(outcome.output)")
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
