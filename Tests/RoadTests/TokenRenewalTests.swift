import Glibc
import Platform
import TestSupport
import Testing

/// How a token is kept alive at a server that others wrote: when it is renewed, by whom, and what each refusal leaves behind.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct TokenRenewalTests {
  /// An answer whose token has ended when it comes.
  private static let endsAtOnce = #"{"alter": "{\"expires_in\": 0}"}"#

  /// An account that is authorised, with a token that is to be renewed whenever it is looked at.
  private func endedToken(_ options: [String] = []) async throws -> OAuth2Home {
    let server = try await OAuth2PeerServer(options)
    try await server.control(Self.endsAtOnce)
    let home = try OAuth2Home(server)
    try await home.logIn()
    try await server.control(#"{"alter": "", "do": "forget_counts"}"#)
    return home
  }

  @Test("a refresh renews the token when its time has come, and only then")
  func whenItIsTime() async throws {
    let home = try await endedToken()
    let before = try home.token()
    let renewed = try await home.homeline("refresh", "key")
    #expect(renewed.code == 0, "\(renewed.error)")
    let after = try home.token()
    for name in ["access_token", "refresh_token"] {
      #expect(before[name].text != nil && after[name].text != nil && before[name] != after[name], "\(name)")
      #expect(!(renewed.output + renewed.error).contains(try #require(after[name].text)))
    }
    #expect(after["authorised_at"] == before["authorised_at"])
    #expect(try FileFacts.of(home.tokenFile).permissions == 0o600)
    #expect(!File.exists(home.renewalFile))
    #expect(try await home.homeline("refresh", "key").code == 0)
    #expect(try home.token() == after)
    #expect(try await home.server.count("refreshes_asked") == 1)
    let status = try await home.status()
    #expect(status["error"] == .null)
    #expect(status["authorised"]["screen_name"].text == "unknown")
  }

  @Test("refreshes that are asked for at once make one renewal", arguments: [2, 5])
  func atOnce(count: Int) async throws {
    let home = try await endedToken()
    let runs = try (0..<count).map { _ in try home.start(["refresh", "key"]) }
    for run in runs {
      let outcome = await run.end()
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    #expect(try await home.server.count("refreshes_asked") == 1)
    #expect(try await home.server.count("refreshes_answered") == 1)
  }

  @Test("a server that keeps the refresh token the same is understood")
  func noRotation() async throws {
    let home = try await endedToken(["--rotation", "none"])
    let before = try home.token()
    #expect(try await home.homeline("refresh").code == 0)
    let after = try home.token()
    #expect(after["refresh_token"] == before["refresh_token"])
    #expect(after["access_token"] != before["access_token"])
  }

  @Test("an answer that is lost once is asked for again at once, and a server with a grace period forgives that")
  func lostOnce() async throws {
    let home = try await endedToken(["--grace", "60"])
    for fault in ["drop", "half", "drop-before"] {
      try await home.server.control(#"{"fault": "\#(fault)", "fault_next": 1, "alter": "{\"expires_in\": 0}"}"#)
      let outcome = try await home.homeline("refresh")
      #expect(outcome.code == 0, "\(fault): \(outcome.error)")
    }
    #expect(try await home.server.count("refreshes_asked") == 6)
    #expect(try await home.server.count("grace_used") == 2)
    #expect(try await home.server.count("families_killed") == 0)
  }

  @Test("the service renews a token ahead of its end, without being asked")
  func byItself() async throws {
    // By the server's clock, of whole seconds; a tenth of its life before the end, or two.
    let server = try await OAuth2PeerServer(["--token-life", "6"])
    let home = try OAuth2Home(server)
    let daemon = try home.start(["daemon"])
    #expect(await daemon.line(containing: " is up: ", on: .error) != nil)
    try await home.logIn()
    let first = try home.token()
    try await server.control(#"{"token_life": 3600}"#)
    #expect(try await eventually { try home.token()["access_token"] != first["access_token"] })
    let second = try home.token()
    #expect(try await server.count("refreshes_asked") == 1)
    #expect(second["authorised_at"] == first["authorised_at"])
    let status = try await home.status()
    #expect(status["error"] == .null)
    daemon.signal(SIGTERM)
    let outcome = await daemon.end()
    #expect(outcome.code == 0)
    #expect(!outcome.error.contains("error"), "\(outcome.error)")
  }

  @Test("a service that is told to end while a token is being given waits for it, and keeps it")
  func endedMeanwhile() async throws {
    let home = try await endedToken()
    let daemon = try home.start(["daemon"])
    // It renews what has ended as soon as it is up; before that nothing may come late.
    #expect(await daemon.line(containing: " is up: ", on: .error) != nil)
    try await home.server.control(#"{"alter": "{\"expires_in\": 0}"}"#)
    #expect(try await home.homeline("refresh", "key").code == 0)
    let before = try home.token()
    let asked = try await home.server.count("refreshes_asked")
    try await home.server.control(#"{"alter": "", "fault": "late", "fault_seconds": 0.3, "fault_next": 1}"#)
    let refresh = try home.start(["refresh", "key"])
    while try await home.server.count("refreshes_asked") == asked { try await Task.sleep(for: .milliseconds(5)) }
    daemon.signal(SIGTERM)
    #expect(await daemon.end().code == 0)
    #expect([0, 75].contains(await refresh.end().code))
    #expect(try home.token()["refresh_token"] != before["refresh_token"])
    #expect(!File.exists(home.renewalFile))
    #expect(try await home.homeline("refresh", "key").code == 0)
    #expect(try await home.server.count("refreshes_asked") == asked + 1)
    #expect(try await home.server.count("reuse_detected") == 0)
  }

  // MARK: What a refusal leaves

  @Test("the server's last word is told with the way out, and nothing is deleted")
  func dead() async throws {
    let home = try await endedToken()
    let before = try home.token()
    try await home.server.control(#"{"do": "revoke_all"}"#)
    let outcome = try await home.homeline("refresh")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("invalid_grant"), "\(outcome.error)")
    #expect(outcome.error.contains("homeline login key"))
    #expect(try home.token() == before)
    let status = try await home.status()
    #expect(status["error"]["code"].text == "not-authorised")
    #expect(status["error"]["message"].text?.contains("homeline login key") == true)
    #expect(status["next_refresh_at"] == .null)
    // The service knows it too, and asks nobody.
    let asked = try await home.server.count("refreshes_asked")
    #expect(try await home.homeline("daemon", "--once").code == 0)
    #expect(try await home.server.count("refreshes_asked") == asked)
    try await home.logIn()
    #expect(try await home.homeline("refresh").code == 0)
    #expect(try await home.status()["error"] == .null)
  }

  @Test(
    "what is no last word keeps the token, is told, and tried again",
    arguments: [
      (#"{"fault": "503", "fault_next": 1, "fault_seconds": 3}"#, "503"),
      (#"{"fault": "500", "fault_next": 1}"#, "web page"),
      (#"{"fault": "429", "fault_next": 1}"#, "429"),
      (#"{"fault": "drop-before", "fault_next": 2}"#, "not renewed"),
    ])
  func passing(orders: String, words: String) async throws {
    let home = try await endedToken()
    let before = try home.token()
    try await home.server.control(orders)
    let outcome = try await home.homeline("refresh")
    #expect(outcome.code == 69, "\(outcome.error)")
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(!outcome.error.contains("homeline login"), "\(outcome.error)")
    #expect(try home.token() == before)
    #expect(!File.exists(home.renewalFile))
    let status = try await home.status()
    #expect(["provider", "network"].contains(status["error"]["code"].text))
    #expect(status["error"]["retry_at"].text != nil)
    #expect(status["authorised"] != .null)
    #expect(try await home.homeline("refresh").code == 0)
    #expect(try home.token() != before)
    #expect(try await home.status()["error"] == .null)
  }

  @Test("a token that is handed out again ends the trouble that status tells of", arguments: ["refresh", "token"])
  func troubleIsOver(command: String) async throws {
    let home = try await endedToken()
    try await home.server.control(#"{"fault": "503", "fault_next": 1}"#)
    #expect(try await home.homeline(command, "key").code == 69)
    #expect(try await home.status()["error"]["code"].text == "provider")
    let outcome = try await home.homeline("token", "key")
    #expect(outcome.output == "\(try #require(try home.token()["access_token"].text))\n", "\(outcome.error)")
    let status = try await home.status()
    #expect(status["error"] == .null)
    #expect(status["stale_since"] == .null)
  }

  @Test("an empty 400 may mean anything: the token is kept, and what helps if it stays so is said")
  func empty() async throws {
    let home = try await endedToken(["--refresh-refusal", "400-empty"])
    let before = try home.token()
    try await home.server.control(#"{"do": "revoke_all"}"#)
    for _ in 0..<2 {
      let outcome = try await home.homeline("refresh")
      #expect(outcome.code == 69, "\(outcome.error)")
      #expect(outcome.error.contains("log in again"), "\(outcome.error)")
      #expect(try home.token() == before)
    }
    #expect(try await home.server.count("refreshes_refused") == 2)
  }

  // MARK: The end

  @Test("a logout revokes the token at the server, and deletes it here")
  func logout() async throws {
    let home = try await endedToken()
    let outcome = try await home.homeline("logout", "key")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("revoked at the provider and deleted here"))
    #expect(!File.exists(home.tokenFile))
    #expect(try await home.server.count("revocations") == 1)
    #expect(try await home.status()["error"]["code"].text == "not-authorised")
  }

  @Test(
    "a logout whose revocation fails says so, and deletes the token all the same", arguments: ["503", "drop-before"])
  func logoutRefused(fault: String) async throws {
    let home = try await endedToken()
    try await home.server.control(#"{"fault": "\#(fault)", "fault_at": "revoke", "fault_next": 9}"#)
    let outcome = try await home.homeline("logout", "key")
    #expect(outcome.output.contains("did not revoke it"), "\(outcome.output)\(outcome.error)")
    #expect(!File.exists(home.tokenFile))
    #expect(try await home.server.count("revocations") == 0)
  }
}
