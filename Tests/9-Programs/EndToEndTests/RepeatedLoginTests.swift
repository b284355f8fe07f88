import TestSupport
import Testing

/// Repeated logins on a server that issues a refresh token only at the first one.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct RepeatedLoginTests {
  private static let withoutRefreshToken = #"{"alter": "{\"refresh_token\": null}"}"#

  @Test("A second login without a refresh token keeps the same user's stored refresh token")
  func sameUser() async throws {
    let fixture = try OAuth2PeerFixture(try await OAuth2PeerServer(["--rotation", "none"]), by: .endpoints)
    try await fixture.logIn()
    let former = try fixture.token()
    try await fixture.server.control(#"{"alter": "{\"refresh_token\": null, \"expires_in\": 0}", "alter_next": 1}"#)
    let outcome = try await fixture.logIn()
    let token = try fixture.token()
    #expect(token["refresh_token"].text == former["refresh_token"].text)
    #expect(token["access_token"].text != former["access_token"].text)
    #expect(token["renew_at"].text != nil)
    #expect(!outcome.error.contains("this login expires"), "\(outcome.error)")
    // The new token had already expired, so the refresh during the login renewed it with the stored refresh token.
    #expect(try await fixture.server.count("refreshes_answered") == 1)
    #expect(try await fixture.server.count("refreshes_refused") == 0)
  }

  @Test("If the user is unknown, a second login without a refresh token reports when the access token expires")
  func unknownUser() async throws {
    let fixture = try OAuth2PeerFixture(try await OAuth2PeerServer())
    try await fixture.logIn()
    try await fixture.server.control(Self.withoutRefreshToken)
    let outcome = try await fixture.logIn()
    let token = try fixture.token()
    #expect(token["refresh_token"] == .null)
    let end = try #require(token["expires_at"].text)
    #expect(outcome.error.contains("this login expires on \(end)"), "\(outcome.error)")
    #expect(outcome.error.contains("homeline login key"))
  }

  @Test("A refresh token is never kept if the user changes")
  func anotherUser() async throws {
    let fixture = try OAuth2PeerFixture(try await OAuth2PeerServer(), by: .endpoints)
    try await fixture.logIn()
    try await fixture.server.control(#"{"sub": "100"}"#)
    try await fixture.server.control(Self.withoutRefreshToken)
    let outcome = try await fixture.logIn("--switch-user")
    #expect(try fixture.token()["refresh_token"] == .null)
    #expect(outcome.error.contains("this login expires on"), "\(outcome.error)")
  }
}
