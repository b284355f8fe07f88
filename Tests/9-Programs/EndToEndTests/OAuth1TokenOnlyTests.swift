import Platform
import TestSupport
import Testing

/// Accounts with `"provider": "oauth1"`, which hold a token of any OAuth 1.0a server. oauthlib verifies their requests.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct OAuth1TokenOnlyTests {
  /// Returns the three endpoints, which have queries as MediaWiki's do.
  private func endpoints(_ server: OAuth1PeerServer) throws -> [String: String] {
    let titles = [
      ("request_token", "Special:OAuth/initiate"), ("authorize", "Special:OAuth/authorize"),
      ("access_token", "Special:OAuth/token"),
    ]
    return try Dictionary(
      uniqueKeysWithValues: titles.map { name, title in
        (name, "\(try #require(server.endpoints[name]))?title=\(title)")
      })
  }

  @Test("A token-only OAuth 1.0a login signs its endpoints' queries, and `homeline sign` can use the new token")
  func login() async throws {
    let server = try await OAuth1PeerServer(.oauthlib, ["--authorize", "approve"])
    let fixture = try OAuth1PeerFixture(server, provider: "oauth1", endpoints: try endpoints(server))
    let login = try await fixture.login()
    #expect(login.outcome.code == 0, "\(login.outcome.error)")
    #expect(login.page.contains("<h1>Authorised as @"), "\(login.page)")
    for endpoint in ["request_token", "authorize", "access_token"] {
      let seen = try server.seen(endpoint)
      #expect(seen.count == 1 && seen[0].parameters.contains("title") && seen[0].verified != false, "\(endpoint)")
    }
    #expect(try server.seen("verify_credentials").isEmpty)

    let address = try #require(server.endpoints["verify_credentials"])
    let signed = try await fixture.home.run("sign", "GET", address, "--account", "bird")
    #expect(signed.code == 0, "\(signed.error)")
    let line = try #require(signed.output.split(separator: "\n").first { $0.contains("OAuth ") })
    let value = String(line[try #require(line.firstRange(of: "OAuth ")).lowerBound...])
    let response = try await OwnThread.run {
      try ScriptedBrowser().send("GET", LocalURL(address), fields: ["Authorization: \(value)"], body: "")
    }
    #expect(response.status == 200, "\(response.text)")

    #expect(try await fixture.home.run("refresh").code == 0)
    let token = try await fixture.home.run("token", "bird")
    #expect(token.code == 64 && token.error.contains("homeline sign"), "\(token.error)")
    let status = try await fixture.home.run("status", "-v").output
    #expect(status.contains("OAuth 1.0a") && !status.contains("home_timeline"), "\(status)")
    #expect(!File.exists(fixture.timelineFile))
  }

  @Test("`homeline check` reports the endpoints that a token-only account lacks")
  func missing() async throws {
    let server = try await OAuth1PeerServer(.oauthlib)
    var some = try endpoints(server)
    some["access_token"] = nil
    let outcome = try await OAuth1PeerFixture(server, provider: "oauth1", endpoints: some).home.run("check")
    #expect(outcome.code == 78)
    #expect((outcome.output + outcome.error).contains("accounts.bird.endpoints.access_token: missing"))
  }
}
