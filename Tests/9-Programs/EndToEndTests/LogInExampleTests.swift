import Glibc
import TestSupport
import Testing

/// The path of the example program, which `scripts/test` builds.
private let example = Repository.path(".build/example/debug/log-in")

/// The example docs/examples/log-in, a separate package that uses the two libraries, run with `homeline sandbox`.
@Suite(
  "The example that logs in", .timeLimit(.minutes(2)),
  .enabled(if: access(example, X_OK) == 0, "scripts/test builds the example only without a sanitizer"))
struct LogInExampleTests {
  private let browser = ScriptedBrowser()

  /// Starts the sandbox and the example.
  private func start(_ version: String, at provider: String) async throws -> (client: ProgramRun, sandbox: ProgramRun) {
    let home = try TestInstallation()
    let sandbox = try home.start(["sandbox", "--provider", provider, "--port", "0"])
    let line = try #require(await sandbox.line(containing: "server:"))
    let server = try #require(line.split(separator: " ").last)
    let client = try ProgramRun(example, [version, String(server)], environment: home.environment())
    return (client, sandbox)
  }

  private func address(of client: ProgramRun) async throws -> LocalURL {
    let line = try #require(await client.line(containing: "Open "), "\(client.written(on: .error))")
    return try LocalURL(String(line.dropFirst("Open ".count)))
  }

  private func press(_ action: String, at address: LocalURL) throws -> LocalURL {
    try browser.redirect(
      of: browser.send(
        "POST", LocalURL(address, target: address.path),
        fields: ["Content-Type: application/x-www-form-urlencoded"],
        body: address.target.dropFirst(address.path.count + 1) + "&action=\(action)"))
  }

  @Test(
    "The example completes a login with either version of OAuth and shows an API response in the browser",
    arguments: [("oauth1", "twitter", "has status 200"), ("oauth2", "oauth2", "mira_demo")])
  func logIn(version: String, provider: String, says: String) async throws {
    let (client, sandbox) = try await start(version, at: provider)
    let redirect = try press("allow", at: await address(of: client))
    #expect(try browser.get(LocalURL(redirect, target: "/favicon.ico")).status == 404)
    #expect(try browser.follow(redirect).text.contains("Logged in"))
    let outcome = await client.end()
    #expect(outcome.code == 0 && outcome.output.contains(says), "\(outcome.output)\(outcome.error)")
    sandbox.signal(SIGTERM)
    _ = await sandbox.end()
  }

  @Test(
    "If the user denies access, the example ends the login and shows this in the browser",
    arguments: [("oauth1", "twitter"), ("oauth2", "oauth2")])
  func refused(version: String, provider: String) async throws {
    let (client, sandbox) = try await start(version, at: provider)
    let redirect = try press("deny", at: await address(of: client))
    #expect(try browser.follow(redirect).text.contains("Access was refused."))
    #expect(await client.end().code != 0)
    sandbox.signal(SIGTERM)
    _ = await sandbox.end()
  }
}
