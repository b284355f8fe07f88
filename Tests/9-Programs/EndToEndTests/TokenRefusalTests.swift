import Platform
import TestSupport
import Testing

/// Servers that refuse to renew a token, and logouts.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct TokenRefusalTests {
  @Test("After a final refusal, nothing is deleted and the error explains how to log in again")
  func dead() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    let before = try fixture.token()
    try await fixture.server.control(#"{"do": "revoke_all"}"#)
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("invalid_grant"), "\(outcome.error)")
    #expect(outcome.error.contains("homeline login key"))
    for name in ["access_token", "refresh_token"] { #expect(try fixture.token()[name] == before[name]) }
    let status = try await fixture.status()
    #expect(status["error"]["code"].text == "not-authorised")
    #expect(status["error"]["message"].text?.contains("homeline login key") == true)
    #expect(status["next_refresh_at"] == .null)
    // Every process knows about the refusal, so no command repeats the request.
    #expect(try await fixture.server.count("refreshes_asked") == 1)
    for arguments in [["token", "key"], ["refresh"], ["token", "key"]] {
      let again = try await fixture.home.start(arguments).end()
      #expect(again.code == 77 && again.output.isEmpty, "\(again.error)")
      #expect(again.error.contains("invalid_grant") && again.error.contains("homeline login key"), "\(again.error)")
    }
    #expect(try await fixture.home.run("daemon", "--once").code == 0)
    #expect(try await fixture.server.count("refreshes_asked") == 1)
    try await fixture.logIn()
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try await fixture.status()["error"] == .null)
  }

  @Test(
    "A final refusal is also recognised in OpenID Connect's and Microsoft's forms, and no more requests follow",
    arguments: ["interaction", "aadsts-final"])
  func finalWithOtherErrors(kind: String) async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken(["--refresh-refusal", kind])
    try await fixture.server.control(#"{"do": "revoke_all"}"#)
    for _ in 0..<2 {
      let outcome = try await fixture.home.run("token", "key")
      #expect(outcome.code == 77 && outcome.output.isEmpty, "\(outcome.error)")
      #expect(outcome.error.contains("homeline login key"), "\(outcome.error)")
    }
    #expect(try await fixture.server.count("refreshes_asked") == 1)
    #expect(try await fixture.status()["error"]["code"].text == "not-authorised")
  }

  @Test("Microsoft's throttling error is not a final refusal, although it is also an invalid_grant")
  func pauseWithOtherErrors() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken(["--refresh-refusal", "aadsts-pause"])
    try await fixture.server.control(#"{"do": "revoke_all"}"#)
    for count in 1...2 {
      let outcome = try await fixture.home.run("token", "key")
      #expect(outcome.code == 69, "\(outcome.error)")
      #expect(try await fixture.server.count("refreshes_asked") == count)
    }
  }

  @Test(
    "A renewal that fails temporarily is reported and retried, and the token is kept",
    arguments: [
      (#"{"fault": "503", "fault_next": 1, "fault_seconds": 3}"#, "503", true),
      (#"{"fault": "500", "fault_next": 1}"#, "web page", false),
      (#"{"fault": "429", "fault_next": 1}"#, "429", true),
      (#"{"fault": "drop-before", "fault_next": 2}"#, "not renewed", false),
    ])
  func passing(orders: String, message: String, namesMoment: Bool) async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    let before = try fixture.token()
    try await fixture.server.control(orders)
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 69, "\(outcome.error)")
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(!outcome.error.contains("homeline login"), "\(outcome.error)")
    #expect(try fixture.token() == before)
    #expect(!File.exists(fixture.renewalFile))
    let status = try await fixture.status()
    #expect(["provider", "network"].contains(status["error"]["code"].text))
    #expect((status["error"]["retry_at"].text != nil) == namesMoment, "retry_at is present only after a Retry-After")
    #expect(status["authorised"] != .null)
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try fixture.token() != before)
    #expect(try await fixture.status()["error"] == .null)
  }

  @Test("A successful renewal clears the error in `homeline status`", arguments: ["refresh", "token"])
  func troubleIsOver(command: String) async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    try await fixture.server.control(#"{"fault": "503", "fault_next": 1}"#)
    #expect(try await fixture.home.run(command, "key").code == 69)
    #expect(try await fixture.status()["error"]["code"].text == "provider")
    let outcome = try await fixture.home.run("token", "key")
    #expect(outcome.output == "\(try #require(try fixture.token()["access_token"].text))\n", "\(outcome.error)")
    let status = try await fixture.status()
    #expect(status["error"] == .null)
    #expect(status["stale_since"] == .null)
  }

  @Test("After empty 400 responses, the token is kept, and `homeline status` mentions them from the second one on")
  func empty() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken(["--refresh-refusal", "400-empty"])
    let before = try fixture.token()
    try await fixture.server.control(#"{"do": "revoke_all"}"#)
    for count in 1...2 {
      let outcome = try await fixture.home.run("refresh")
      #expect(outcome.code == 69, "\(outcome.error)")
      #expect(outcome.error.contains("log in again"), "\(outcome.error)")
      for name in ["access_token", "refresh_token"] { #expect(try fixture.token()[name] == before[name]) }
      let status = try await fixture.home.run("status", "-v").output
      #expect(!status.contains("renews it by itself"), "\(status)")
      #expect(status.contains("the server does not renew the token") == (count == 2), "\(status)")
    }
    #expect(try await fixture.server.count("refreshes_refused") == 2)
  }

  // MARK: logout

  @Test("`homeline logout` revokes the token on the server and deletes it here")
  func logout() async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    let outcome = try await fixture.home.run("logout", "key")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("revoked at the provider and deleted from this machine"))
    #expect(!File.exists(fixture.tokenFile))
    #expect(try await fixture.server.count("revocations") == 1)
    #expect(try await fixture.status()["error"]["code"].text == "not-authorised")
  }

  @Test("If the server requires an access token for a revocation, the request is repeated with one")
  func logoutWithBearer() async throws {
    let fixture = try OAuth2PeerFixture(try await OAuth2PeerServer(["--revoke-auth", "bearer"]))
    try await fixture.logIn()
    let outcome = try await fixture.home.run("logout", "key")
    #expect(
      outcome.output.contains("revoked at the provider and deleted from this machine"),
      "\(outcome.output)\(outcome.error)")
    #expect(try await fixture.server.count("revocations_without_bearer") == 1)
    #expect(try await fixture.server.count("revocations") == 1)
  }

  @Test(
    "If a revocation fails, this is reported and the token is deleted anyway", arguments: ["503", "drop-before"])
  func logoutRefused(fault: String) async throws {
    let fixture = try await OAuth2PeerFixture.withEndedToken()
    try await fixture.server.control(#"{"fault": "\#(fault)", "fault_at": "revoke", "fault_next": 9}"#)
    let outcome = try await fixture.home.run("logout", "key")
    #expect(outcome.output.contains("did not revoke it"), "\(outcome.output)\(outcome.error)")
    #expect(!File.exists(fixture.tokenFile))
    #expect(try await fixture.server.count("revocations") == 0)
  }
}
