import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// A home folder with accounts at a simulated drive, which runs as a separate program.
struct DriveHome {
  let home: TestInstallation
  let sandbox: ProgramRun

  /// - Parameter faults: the values of `homeline sandbox --fault`.
  init(faults: String...) async throws {
    home = try TestInstallation()
    sandbox = try home.start(
      ["sandbox", "--provider", "gokuai", "--port", "0", "-v"] + faults.flatMap { ["--fault", $0] })
    let line = try #require(await sandbox.line(containing: "server:"))
    let server = try #require(line.split(separator: " ").last)
    try home.configure(
      """
      { "accounts": {
        "disk": { "provider": "gokuai", "server": "\(server)", "client_id": "\(GokuaiKeys.clientID)",
          "client_secret": "\(GokuaiKeys.clientSecret)", "publish": ["atom"] },
        "firm": { "provider": "gokuai", "server": "\(server)", "client_id": "\(GokuaiKeys.enterpriseID)",
          "client_secret": "\(GokuaiKeys.enterpriseSecret)", "drive": { "key": "enterprise", "library_id": 7 } },
        "mine": { "provider": "gokuai", "server": "\(server)", "client_id": "\(GokuaiKeys.appID)",
          "client_secret": "\(GokuaiKeys.appSecret)", "drive": { "key": "user" } },
        "old": { "provider": "gokuai", "server": "\(server)", "client_id": "\(GokuaiKeys.appID)",
          "client_secret": "\(GokuaiKeys.appSecret)", "drive": { "key": "user", "dialect": "2013" } },
        "library": { "provider": "gokuai", "server": "\(server)", "client_id": "\(GokuaiKeys.appID)",
          "client_secret": "\(GokuaiKeys.appSecret)", "drive": { "key": "user", "library_id": 7 } },
        "wrong": { "provider": "gokuai", "server": "\(server)", "client_id": "\(GokuaiKeys.clientID)",
          "client_secret": "another" } } }
      """)
  }

  var path: String { home.path }

  func end() async {
    sandbox.signal(SIGTERM)
    _ = await sandbox.end()
  }

  /// Logs in with the simulated user's name and password.
  func logIn(_ account: String) async throws {
    let login = try await home.start(
      ["login", account], input: .text("\(GokuaiSandbox.userName)\n\(GokuaiSandbox.password)\n")
    ).end()
    try #require(login.code == 0, "\(login.error)")
  }

  func drive(_ arguments: String...) async throws -> ProgramRun.Outcome {
    try await home.start(["drive"] + arguments).end()
  }

  /// Runs a command that must succeed, and returns its output.
  @discardableResult
  func output(_ arguments: String...) async throws -> String {
    let outcome = try await home.start(["drive"] + arguments).end()
    try #require(outcome.code == 0, "\(arguments): \(outcome.error)")
    return outcome.output
  }

  /// Returns the number of requests whose log line contains the given text.
  func requests(_ text: String) -> Int {
    sandbox.written(on: .error).split(separator: "\n").count { $0.contains(text) }
  }
}
