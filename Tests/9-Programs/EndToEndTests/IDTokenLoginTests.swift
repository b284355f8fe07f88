import Bytes
import Platform
import TestSupport
import Testing
import Time

/// Logins whose user is identified by the ID Token in the token response (OpenID Connect Core §3.1.3.7).
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct IDTokenLoginTests {
  /// The claims of an ID Token as JSON values.
  private struct Claims {
    var members: [String: String]

    init(_ server: OAuth2PeerServer, sub: String = "248289761001", nonce: String?) {
      let now = WallClock.system.now.seconds
      members = [
        "iss": #""\#(server.issuer)""#, "sub": #""\#(sub)""#, "aud": #"["\#(server.clientID)"]"#,
        "exp": "\(now + 3600)",
        "iat": "\(now)", "preferred_username": #""mira""#, "name": #""Mira Example""#,
      ]
      members["nonce"] = nonce.map { #""\#($0)""# }
    }

    /// An ID Token consists of three parts (RFC 7515 §3.1). Its signature is not verified.
    var token: String {
      let payload = "{" + members.map { #""\#($0)": \#($1)"# }.joined(separator: ", ") + "}"
      let parts = [#"{"alg": "RS256"}"#, payload, "signature"]
      return parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }
  }

  private func fixture(_ more: [String] = []) async throws -> OAuth2PeerFixture {
    try OAuth2PeerFixture(
      try await OAuth2PeerServer(["--scopes", "openid profile"] + more), members: #""scopes": ["openid", "profile"]"#)
  }

  /// Logs in to a server whose token response contains an ID Token with these claims.
  private func logIn(
    _ fixture: OAuth2PeerFixture, _ arguments: [String] = [], sub: String = "248289761001",
    change: (inout Claims) -> Void = { _ in }
  ) async throws -> (outcome: ProgramRun.Outcome, page: String) {
    let login = try await fixture.beginLogin(arguments)
    var claims = Claims(fixture.server, sub: sub, nonce: try login.parameter("nonce"))
    change(&claims)
    try await fixture.server.control(#"{"alter": "{\"id_token\": \"\#(claims.token)\"}"}"#)
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    return (await login.program.end(), visits.last?.text ?? "")
  }

  @Test("The id_token identifies the user by issuer and sub, even if the preferred name changes")
  func named() async throws {
    let fixture = try await fixture()
    let (outcome, page) = try await logIn(fixture)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(page.contains("<h1>Authorised as @mira</h1>"), "\(page)")
    let token = try fixture.token()
    #expect(token["user"]["id"].text == "248289761001" && token["user"]["name"].text == "Mira Example")
    #expect(token["issuer"].text == fixture.server.issuer)
    let (renamed, _) = try await logIn(fixture) { $0.members["preferred_username"] = #""mira2""# }
    #expect(renamed.code == 0, "\(renamed.error)")
    #expect(try fixture.token()["user"]["screen_name"].text == "mira2")
  }

  @Test(
    "A login with a different sub is refused; an account without a known user accepts the sub of its next login")
  func anotherUser() async throws {
    let fixture = try await fixture()
    try await fixture.logIn()
    #expect(try fixture.token()["user"]["id"].text == "-")
    #expect(try await logIn(fixture).outcome.code == 0)
    let before = try fixture.token()
    let (outcome, _) = try await logIn(fixture, sub: "100")
    #expect(outcome.code == 77 && outcome.error.contains("--switch-user"), "\(outcome.error)")
    #expect(try fixture.token() == before)
    #expect(try await logIn(fixture, ["--switch-user"], sub: "100").outcome.code == 0)
    #expect(try fixture.token()["user"]["id"].text == "100")
  }

  @Test(
    "An id_token for a different client, issuer, login or time is refused",
    arguments: [
      ("iss", #""https://attacker.example""#), ("aud", #""another-client""#), ("azp", #""another-client""#),
      ("exp", "1000000000"), ("nonce", #""another""#), ("nonce", nil), ("sub", nil), ("aud", nil), ("exp", nil),
    ] as [(String, String?)])
  func refused(claim: String, value: String?) async throws {
    let fixture = try await fixture()
    let (outcome, page) = try await logIn(fixture) { $0.members[claim] = value }
    #expect(outcome.code == 77 && outcome.error.contains("id_token"), "\(outcome.error)")
    #expect(page.contains("<h1>Not authorised</h1>"))
    #expect(!File.exists(fixture.tokenFile))
  }
}
