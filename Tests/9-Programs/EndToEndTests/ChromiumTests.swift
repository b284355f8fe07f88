import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// A login in Chromium, from the provider's page through the redirect to the result page.
@Suite(.serialized, .needsPeers, .needs("chromium"), .needs("chromedriver")) struct ChromiumTests {
  private func walk(_ login: PendingLogin, _ home: TestInstallation, _ options: [String]) async throws -> ChromiumVisit
  {
    try await ChromiumVisit(from: login.address, of: login.program, options, environment: home.environment())
  }

  @Test(
    "Chromium completes a login and shows the outcome, without the verifier in the address bar",
    arguments: ["127.0.0.1", "localhost"])
  func authorise(host: String) async throws {
    let home = try TestInstallation(callback: #""port": 0, "host": "\#(host)""#)
    let login = try await PendingLogin(home)
    // The wait leaves time for a favicon request, for preconnected sockets to close, and for any unwanted request.
    let walk = try await walk(login, home, ["--until", "Authorised as @mira_demo", "--linger", "1"])
    #expect(try await walk.jq(".ok, .status") == "true\n200", "\(walk.report)")
    #expect(try await walk.jq(".title") == "Authorised as @mira_demo · homeline")
    #expect(try await walk.jq(".text").contains("The token is stored for the account “demo”"))
    let url = try LocalURL(await walk.jq(".url"))
    #expect(url.authority == "\(host):\(url.port)")
    #expect(url.path.hasPrefix("/callback/done/"))
    #expect(url.query.isEmpty)
    #expect(try await walk.jq(".errors | length") == "0", "\(walk.report)")
    // One redirect by the provider, and one by homeline.
    #expect(try await walk.jq(".redirects | length") == "2", "\(walk.report)")
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("Authorised as @mira_demo"))
  }

  @Test(
    "If the user clicks Cancel during an OAuth 1.0a login in Chromium, the page and the terminal report the refusal")
  func cancel() async throws {
    let home = try TestInstallation()
    let login = try await PendingLogin(home)
    let walk = try await walk(login, home, ["--click", "#deny", "--until", "You refused"])
    #expect(try await walk.jq(".ok, .title") == "true\nYou refused · homeline", "\(walk.report)")
    #expect(try await walk.jq(".errors | length") == "0", "\(walk.report)")
    #expect(await login.program.end().code == 77)
  }

  @Test(
    "The callback port is closed after a login, so neither a reload nor a second tab can connect",
    arguments: ["--reload", "--second-tab-same-callback"])
  func afterwards(option: String) async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let home = try TestInstallation(callback: #""port": \#(reserved.port)"#)
    let login = try await PendingLogin(home)
    let walk = try await walk(login, home, ["--until", "Authorised as @mira_demo", "--linger", "1", option])
    #expect(walk.report.contains("ERR_CONNECTION_REFUSED"), "\(walk.report)")
    let outcome = await login.program.end()
    #expect(outcome.code == 0)
    #expect(outcome.output.split(separator: "\n").filter { $0.hasPrefix("Authorised as") }.count == 1)
  }
}
