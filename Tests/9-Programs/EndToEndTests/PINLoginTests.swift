import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// `homeline login --pin` with OAuth 2.0.
@Suite(.timeLimit(.minutes(2))) struct PINLoginTests {
  @Test("`homeline login --pin` accepts the code that Mastodon displays, without a listener")
  func mastodon() async throws {
    let server = try SandboxServer(MastodonSandbox())
    defer { server.stop() }
    let home = try TestInstallation()
    try home.configure(
      #"{ "accounts": { "fox": { "provider": "mastodon", "server": "\#(server.baseURL)" } } }"#)
    let login = try home.start(["login", "--pin", "--no-browser"], input: .open)
    let address = try LocalURL(try #require(await login.line(containing: "/oauth/authorize")))
    let page = try await OwnThread.run { try ScriptedBrowser().press("allow", at: address).text }
    let shown = try #require(page.firstRange(of: #"id="code">"#), "\(page)")
    let code = page[shown.upperBound...].prefix { $0 != "<" }
    #expect(login.written(on: .error).contains("type the PIN"))
    login.type("\(code)\n")
    let outcome = await login.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await home.run("token").output.count > 10)
  }

  @Test("If the provider has no PIN, `homeline login --pin` suggests pasting the address and exits with 78")
  func none() async throws {
    let outcome = try await XFixture().home.run("login", "--pin")
    #expect(outcome.code == 78 && outcome.output == "")
    #expect(outcome.error.contains("the provider x does not show a PIN") && outcome.error.contains("paste the address"))
  }
}
