import Glibc
import Platform
import TestSupport
import Testing

/// When and by which process a token is renewed, with a server built on Authlib.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct TokenRenewalTests {
  @Test("A refresh renews the token only when a renewal is due")
  func whenItIsTime() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    let before = try fixture.token()
    let renewed = try await fixture.home.run("refresh", "key")
    #expect(renewed.code == 0, "\(renewed.error)")
    #expect(renewed.output == "key: the token is valid\n", "the account has no timeline")
    let after = try fixture.token()
    for name in ["access_token", "refresh_token"] {
      #expect(before[name].text != nil && after[name].text != nil && before[name] != after[name], "\(name)")
      #expect(!(renewed.output + renewed.error).contains(try #require(after[name].text)))
    }
    #expect(after["authorised_at"] == before["authorised_at"])
    #expect(try FileStatus.of(fixture.tokenFile).permissions == 0o600)
    #expect(!File.exists(fixture.renewalFile))
    #expect(try await fixture.home.run("refresh", "key").code == 0)
    #expect(try fixture.token() == after)
    #expect(try await fixture.server.count("refreshes_asked") == 1)
    let status = try await fixture.status()
    #expect(status["error"] == .null)
    #expect(status["authorised"]["screen_name"].text == "unknown")
  }

  @Test("Simultaneous refreshes renew the token only once", arguments: [2, 5])
  func atOnce(count: Int) async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    let runs = try (0..<count).map { _ in try fixture.home.start(["refresh", "key"]) }
    for run in runs {
      let outcome = await run.end()
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    #expect(try await fixture.server.count("refreshes_asked") == 1)
    #expect(try await fixture.server.count("refreshes_answered") == 1)
  }

  @Test("A token can be renewed even if the server does not rotate refresh tokens")
  func noRotation() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken(["--rotation", "none"])
    let before = try fixture.token()
    #expect(try await fixture.home.run("refresh").code == 0)
    let after = try fixture.token()
    #expect(after["refresh_token"] == before["refresh_token"])
    #expect(after["access_token"] != before["access_token"])
  }

  @Test(
    "If the response is lost, the renewal is repeated immediately, and a server with a grace period accepts the repetition"
  )
  func lostOnce() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken(["--grace", "60"])
    for fault in ["drop", "half", "drop-before"] {
      try await fixture.server.control(#"{"fault": "\#(fault)", "fault_next": 1, "alter": "{\"expires_in\": 0}"}"#)
      let outcome = try await fixture.home.run("refresh")
      #expect(outcome.code == 0, "\(fault): \(outcome.error)")
    }
    #expect(try await fixture.server.count("refreshes_asked") == 6)
    #expect(try await fixture.server.count("grace_used") == 2)
    #expect(try await fixture.server.count("families_killed") == 0)
  }

  @Test("The service renews a token before it expires")
  func byItself() async throws {
    // Only the login's token expires soon, and is renewed at least a tenth of its lifetime before that. The server's
    // clock has whole seconds.
    let server = try await OAuth2PeerServer(["--alter", #"{"expires_in": 6}"#, "--alter-next", "1"])
    let fixture = try OAuth2PeerFixture(server)
    let daemon = try fixture.home.start(["daemon"])
    #expect(await daemon.line(containing: " is up: ", on: .error) != nil)
    try await fixture.logIn()
    #expect(try await eventually { try await server.count("refreshes_answered") > 0 })
    let renewed = try await eventually {
      let token = try fixture.token()
      return try #require(token["issued_at"].text) > #require(token["authorised_at"].text)
    }
    #expect(renewed)
    #expect(try await server.count("refreshes_asked") == 1)
    let status = try await fixture.status()
    #expect(status["error"] == .null)
    daemon.signal(SIGTERM)
    let outcome = await daemon.end()
    #expect(outcome.code == 0)
    #expect(!outcome.error.contains("error"), "\(outcome.error)")
  }

  @Test("A service stopped during a renewal waits for the token and stores it")
  func endedMeanwhile() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    // Either the service or the refresh sends the first request, and gets a token that has already expired.
    try await fixture.server.control(#"{"alter": "{\"expires_in\": 0}"}"#)
    let daemon = try fixture.home.start(["daemon"])
    #expect(await daemon.line(containing: " is up: ", on: .error) != nil)
    #expect(try await fixture.home.run("refresh", "key").code == 0)
    let before = try fixture.token()
    let requestsBefore = try await fixture.server.count("refreshes_asked")
    try await fixture.server.control(#"{"alter": "", "fault": "late", "fault_seconds": 0.3, "fault_next": 1}"#)
    let refresh = try fixture.home.start(["refresh", "key"])
    let isAsked = try await eventually(every: .milliseconds(5)) {
      try await fixture.server.count("refreshes_asked") > requestsBefore
    }
    #expect(isAsked)
    daemon.signal(SIGTERM)
    #expect(await daemon.end().code == 0)
    #expect([0, 75].contains(await refresh.end().code))
    #expect(try fixture.token()["refresh_token"] != before["refresh_token"])
    #expect(!File.exists(fixture.renewalFile))
    #expect(try await fixture.home.run("refresh", "key").code == 0)
    #expect(try await fixture.server.count("refreshes_asked") == requestsBefore + 1)
    #expect(try await fixture.server.count("reuse_detected") == 0)
  }
}
