import Glibc
import Platform
import TestSupport
import Testing

/// A visit by Chromium, which opens an address, clicks a button and follows the redirects
/// (`Tests/Peers/chromium_walk.py`).
struct ChromiumVisit {
  let report: String
  private let environment: [String: String]

  /// Runs Chromium and clicks "Authorise", unless the options say otherwise.
  /// - Parameters:
  ///   - login: the pending login. If Chromium cannot run on this machine, this function ends the login and skips the
  ///     test.
  ///   - environment: the environment for `jq`.
  init(
    from address: LocalURL, of login: ProgramRun, _ options: [String], environment: [String: String]
  ) async throws {
    let variables = ProcessEnvironment.variables()
    let python = try #require(Peers.python)
    let outcome = try await ProgramRun.run(
      python,
      [Repository.path("Tests/Peers/chromium_walk.py"), address.description, "--click", "#allow"] + options,
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

  /// Returns the output of a `jq -r` filter on the report.
  func jq(_ filter: String) async throws -> String {
    let outcome = try await ProgramRun.run("jq", ["-r", filter], environment: environment, input: .text(report))
    try #require(outcome.code == 0, "\(outcome.error)")
    return String(outcome.output.dropLast())
  }
}
