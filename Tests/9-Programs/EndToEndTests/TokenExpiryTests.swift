import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing
import Time

/// What `homeline status` says about the expiry of a token.
@Suite(.timeLimit(.minutes(2))) struct TokenExpiryTests {
  private func status(_ fixture: XFixture) async throws -> (login: String, token: JSONValue) {
    let text = try await fixture.home.run("status", "-v").output
    let line = text.split(separator: "\n").first { $0.hasPrefix("  login ") }.map { String($0.dropFirst(16)) }
    let json = try JSONValue(Array(try await fixture.home.run("status", "--json").output.utf8))
    return (line ?? "none", try #require(json["accounts"].items.first)["token"])
  }

  @Test("`homeline status` shows whether a token is renewed automatically, expires soon, has expired or never expires")
  func lifetimes() async throws {
    let fixture = try XFixture()
    let none = try await status(fixture)
    #expect(none.login == "none" && none.token == .null)
    try await fixture.logIn()
    let renewed = try await status(fixture)
    #expect(renewed.login.hasSuffix("; homeline renews it automatically"))
    #expect(renewed.token["kind"].text == "oauth2" && renewed.token["login_needed_by"] == .null)
    #expect(renewed.token["expires_at"].text != nil && renewed.token["renews_at"].text != nil)

    try fixture.changeTimes(renewAt: nil, expiresAt: .seconds(29 * 86400 + 60), keepsRefreshToken: false)
    let ending = try await status(fixture)
    let end = try #require(ending.token["login_needed_by"].text)
    #expect(ending.login == "OAuth 2.0: log in again by \(end.prefix(10)) (29 days): homeline login bird")
    #expect(ending.token["expires_at"].text == end && ending.token["renews_at"] == .null)

    try fixture.changeTimes(renewAt: nil, expiresAt: .seconds(-60), keepsRefreshToken: false)
    #expect(try await status(fixture).login.hasSuffix("log in again: homeline login bird"))

    try fixture.changeTimes(renewAt: nil, expiresAt: nil)
    #expect(try await status(fixture).login == "OAuth 2.0: the token is valid until it is revoked")
  }

  @Test("If the server no longer renews the token, `homeline status` reports that the authorisation has ended")
  func dead() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    try fixture.changeTimes(renewAt: .seconds(-100), expiresAt: .seconds(-1))
    fixture.server.with { server in server.oauth2 = XSandbox(redirects: []).oauth2 }
    #expect(try await fixture.home.run("token").code == 77)
    #expect(
      try await status(fixture).login == "OAuth 2.0: the token is no longer valid; log in again: homeline login bird")
  }
}
